import type { z } from 'zod';
import type { Session } from '../entities/session.ts';
import type { SessionOutput } from './schemas.ts';
import { positionAt, statusAt } from './status-at.ts';

export function sessionToOutput(session: Session, now: Date): z.input<typeof SessionOutput> {
  return {
    id: session.id,
    webinarId: session.webinarId,
    kind: session.kind,
    control: session.control,
    status: statusAt(session, now),
    startsAt: session.startsAt.toISOString(),
    endsAt: session.endsAt.toISOString(),
    actualStartedAt: session.actualStartedAt?.toISOString() ?? null,
    actualEndedAt: session.actualEndedAt?.toISOString() ?? null,
    timezone: session.timezone,
    recurrenceKey: session.recurrenceKey ?? null,
    positionSeconds: positionAt(session, now),
    currentSegmentId: session.currentSegmentId ?? null,
    registrationCount: session.registeredCount,
    createdAt: session.createdAt.toISOString(),
  };
}

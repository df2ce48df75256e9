import type { z } from 'zod';
import type { Session } from '../session/session.ts';
import type { WebinarOutput } from './schemas.ts';
import type { Webinar } from './webinar.ts';

export function webinarToOutput(
  webinar: Webinar,
  session: Session | undefined,
): z.input<typeof WebinarOutput> {
  return {
    id: webinar.id,
    title: webinar.title,
    description: webinar.description ?? null,
    timezone: webinar.timezone,
    durationSeconds: webinar.durationSeconds,
    status: webinar.status,
    nextSession: session
      ? {
          id: session.id,
          startsAt: session.startsAt.toISOString(),
          endsAt: session.endsAt.toISOString(),
          status: session.status,
        }
      : null,
    publishedAt: webinar.publishedAt?.toISOString() ?? null,
    createdAt: webinar.createdAt.toISOString(),
    updatedAt: webinar.updatedAt.toISOString(),
  };
}

import type { z } from 'zod';
import type { Session } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import type { WebinarOutput } from './schemas.ts';

type Output = z.input<typeof WebinarOutput>;

export function webinarToOutput(
  webinar: Webinar,
  session: Pick<Session, 'id' | 'startsAt' | 'endsAt' | 'status' | 'registeredCount'> | undefined,
): Output {
  return {
    id: webinar.id,
    title: webinar.title,
    publicTitle: webinar.publicTitle ?? null,
    slug: webinar.slug,
    description: webinar.description ?? null,
    kind: webinar.kind,
    // Deleted webinars are never shown.
    status: webinar.status as Output['status'],
    locale: webinar.locale,
    timezone: webinar.timezone,
    durationSeconds: webinar.durationSeconds,
    video: webinar.video ?? null,
    schedule: webinar.schedule,
    room: webinar.room,
    replay: webinar.replay,
    registrationForm: webinar.registrationForm,
    attendance: webinar.attendance,
    attribution: webinar.attribution,
    nextSession: session
      ? {
          id: session.id,
          startsAt: session.startsAt.toISOString(),
          endsAt: session.endsAt.toISOString(),
          status: session.status,
          registrationCount: session.registeredCount,
        }
      : null,
    publishedAt: webinar.publishedAt?.toISOString() ?? null,
    createdAt: webinar.createdAt.toISOString(),
    updatedAt: webinar.updatedAt.toISOString(),
  };
}

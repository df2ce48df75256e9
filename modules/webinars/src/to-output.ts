import type { z } from 'zod';
import type { Registration } from './registration.ts';
import type { RegistrationOutput, WebinarOutput } from './schemas.ts';
import type { Session } from './session.ts';
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

export function registrationToOutput(
  registration: Registration,
  session: Pick<Session, 'startsAt'>,
): z.input<typeof RegistrationOutput> {
  return {
    id: registration.id,
    webinarId: registration.webinarId,
    sessionId: registration.sessionId,
    name: registration.name,
    email: registration.email,
    sessionTime: session.startsAt.toISOString(),
    utm: {
      source: registration.utmSource ?? null,
      medium: registration.utmMedium ?? null,
      campaign: registration.utmCampaign ?? null,
    },
    source: registration.source,
    registeredAt: registration.registeredAt.toISOString(),
  };
}

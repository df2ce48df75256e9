import type { z } from 'zod';
import type { Session } from '../session/session.ts';
import type { Registration } from './registration.ts';
import type { RegistrationOutput } from './schemas.ts';

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

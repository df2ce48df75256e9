import type { BulkRegisterResult, Client } from '@service/client';
import type { Setup } from './setup.ts';

export interface Registrant {
  registrationId: string;
  email: string;
  /** The last part of the join link. */
  join: string;
}

const batchMax = 500;
const firstNames = 'Ada Grace Alan Edsger Barbara Donald Margaret Dennis Frances Ken'.split(' ');
const lastNames = 'Stone Rivers Field Marsh Hill Brook Wood Lake Shore Dale'.split(' ');
const utmSources = ['newsletter', 'search', 'partner', 'social'];

interface RegisterOptions {
  attendees: number;
  onBatch(count: number): void;
  stop: AbortSignal;
}

/** Registers attendees, five hundred in a call. Throws when one is refused. */
export async function registerAll(
  client: Client,
  setup: Pick<Setup, 'webinarId' | 'sessionId' | 'sessionTime'>,
  { attendees, onBatch, stop }: RegisterOptions,
): Promise<Registrant[]> {
  const registrants: Registrant[] = [];
  while (registrants.length < attendees && !stop.aborted) {
    const size = Math.min(batchMax, attendees - registrants.length);
    const registrations = Array.from({ length: size }, (_, row) => personOf(registrants.length + row, setup));
    const path = { webinarId: setup.webinarId };
    const { data: rows } = await client.bulkRegister({ path, body: { registrations } });
    registrants.push(...rows.map(toRegistrant));
    onBatch(registrants.length);
  }
  return registrants;
}

/** E-mail addresses contain the session id, so that each run has new people. */
const personOf = (index: number, { sessionId, sessionTime }: Pick<Setup, 'sessionId' | 'sessionTime'>) => ({
  name: `${firstNames[index % 10]} ${lastNames[Math.floor(index / 10) % 10]}`,
  email: `sim-${sessionId.slice(-12)}-${index}@example.com`,
  sessionTime,
  utm: { source: utmSources[index % utmSources.length] },
});

function toRegistrant({ index, status, registration, error }: BulkRegisterResult): Registrant {
  if (status !== 'created' || !registration)
    throw new Error(`Registration ${index} failed: ${error?.message ?? status}`);
  const { id, email, joinUrl } = registration;
  return { registrationId: id, email, join: new URL(joinUrl).pathname.split('/').at(-1)! };
}

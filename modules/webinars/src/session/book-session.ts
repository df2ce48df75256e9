import type { AccountWriter } from '@service/database';
import type { Webinar } from '../webinar/webinar.ts';
import type { Session } from './session.ts';
import { findBookableSession, nearestSessionTimes } from './sessions.ts';

export type Booking = { kind: 'booked'; session: Session } | { kind: 'unavailable'; nearest: string[] };

/** The session a person asks for by its time; the three nearest times (ISO 8601) when that one is not offered. */
export async function bookSession(tx: AccountWriter, webinar: Webinar, sessionTime: Date): Promise<Booking> {
  const session = await findBookableSession(tx, webinar.id, sessionTime);
  if (session) return { kind: 'booked', session };
  return { kind: 'unavailable', nearest: await nearestSessionTimes(tx, webinar.id, sessionTime) };
}

import type { AccountWriter } from '@service/database';
import { webinarErrors } from '../errors.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { findOrMake, type Booking } from './book-session.ts';
import type { Session } from './session.ts';
import { countFreePlaces, findPlaced } from './take-place.ts';

export type Booker = (sessionTime: Date | undefined, email: string) => Promise<Booking>;

interface Places {
  free: number;
  /** E-mail addresses of this batch that have a place. */
  takenBy: Set<string>;
}

/**
 * Books many people into sessions of one webinar in one transaction. Like bookSession, but it looks up each start once and keeps
 * count of the places. `emails` contains all addresses of the batch. The caller has locked the webinar with shareOpenWebinar. The
 * returned function throws session_full.
 */
export function createBooker(tx: AccountWriter, webinar: Webinar, emails: readonly string[]): Booker {
  const bookings = new Map<number | undefined, Booking>();
  const placesBySession = new Map<string, Places>();
  const { capacityPerSession } = webinar.registrationForm;

  async function find(sessionTime: Date | undefined): Promise<Booking> {
    const key = sessionTime?.getTime();
    const known = bookings.get(key);
    if (known) return known;
    const booking = await findOrMake(tx, webinar, sessionTime);
    bookings.set(key, booking);
    return booking;
  }

  async function placesOf(session: Session, capacity: number): Promise<Places> {
    const known = placesBySession.get(session.id);
    if (known) return known;
    const free = await countFreePlaces(tx, session, capacity);
    const places = { free, takenBy: await findPlaced(tx, session, emails) };
    placesBySession.set(session.id, places);
    return places;
  }

  return async (sessionTime, email) => {
    const booking = await find(sessionTime);
    if (booking.kind === 'unavailable' || capacityPerSession === null) return booking;
    const places = await placesOf(booking.session, capacityPerSession);
    if (places.takenBy.has(email)) return booking;
    if (places.free <= 0) throw webinarErrors.session_full();
    places.free -= 1;
    places.takenBy.add(email);
    return booking;
  };
}

import { column, statement, type AccountWriter } from '@service/database';
import { bookSession, lockFreePlaces, type Booking, type Session, type Webinar } from '@service/webinars';

interface PlaceRequest {
  /** Undefined: the current minute of an on-demand webinar. */
  sessionTime: Date | undefined;
  email: string;
}

/** The session of a person, or the reason why they get none. */
export type PlaceResult = Booking | { kind: 'full' };

interface Places {
  free: number;
  /** The e-mail addresses to be booked that are registered for the session. They need no other place. */
  registered: Set<string>;
}

interface BookerOptions {
  /** The addresses of all people to be booked. */
  emails: readonly string[];
  /** The result of findSessionsAt for their times, if the caller has it. */
  known?: ReadonlyMap<number, readonly Session[]>;
}

/**
 * Books people into sessions of one webinar, one after the other in one transaction. Each time is looked up once, and the free
 * places of a session with a capacity are read once. The caller has called shareOpenWebinar.
 */
export function createBooker(
  tx: AccountWriter,
  webinar: Webinar,
  { emails, known = new Map<number, readonly Session[]>() }: BookerOptions,
) {
  const bookings = new Map<number | undefined, Booking>();
  const placesBySession = new Map<string, Places>();
  const { capacityPerSession } = webinar.registrationForm;

  async function book({ sessionTime }: PlaceRequest): Promise<Booking> {
    const key = sessionTime?.getTime();
    const request = { sessionTime, known: key === undefined ? undefined : known.get(key) };
    const booking = bookings.get(key) ?? (await bookSession(tx, webinar, request));
    bookings.set(key, booking);
    return booking;
  }

  async function placesOf(session: Session, capacity: number): Promise<Places> {
    const read = placesBySession.get(session.id);
    if (read) return read;
    const [free, registered] = await Promise.all([
      lockFreePlaces(tx, session, capacity),
      findRegistered(tx, session, emails),
    ]);
    const places = { free, registered };
    placesBySession.set(session.id, places);
    return places;
  }

  return async (request: PlaceRequest): Promise<PlaceResult> => {
    const booking = await book(request);
    if (booking.kind === 'unavailable' || capacityPerSession === null) return booking;
    const places = await placesOf(booking.session, capacityPerSession);
    if (places.registered.has(request.email)) return booking;
    if (places.free <= 0) return { kind: 'full' };
    places.free -= 1;
    places.registered.add(request.email);
    return booking;
  };
}

export type Booker = ReturnType<typeof createBooker>;

const selectRegistered = statement({
  name: 'attendees.select_registered_emails',
  text: `
    select email from attendees.registration
    where account_id = $1 and session_id = $2 and status <> 'cancelled' and email = any($3::text[])`,
  row: { email: column.text },
});

/** Those of these e-mail addresses that have a registration for the session that is not cancelled. */
export async function findRegistered(
  { query, accountId }: AccountWriter,
  session: Session,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await query(selectRegistered, [accountId, session.id, emails]);
  return new Set(rows.map((row) => row.email));
}

import {
  type AccountReader,
  column,
  lowestIdSince,
  nullable,
  type RowsOf,
  statement,
} from '@service/database';

/** A registration with what its attendee did until a time. */
interface RegistrationHistory {
  id: string;
  webinarId: string;
  sessionId: string;
  utmSource: string | null;
  registeredAt: Date;
  firstJoinedAt: Date | null;
  cancelledAt: Date | null;
  /** The newest clicks on offers, newest first, at most `offerClicksMax`. */
  offerClicks: { id: string; offerId: string; at: Date }[];
}

/** The registrations of a person, newest first. */
export interface PersonHistory {
  registrations: RegistrationHistory[];
  /** True if the person has older registrations than these. */
  hasOlder: boolean;
}

interface Person {
  email: string;
  /** Later registrations are left out, except the first of them. Later clicks are left out. */
  until: Date;
}

/** Registrations of one person that are read. */
const registrationsMax = 200;

const offerClicksMax = 5;

const registrationColumns = 'r.id, r.webinar_id, r.session_id, r.utm_source, r.registered_at, r.cancelled_at';

// The first registration after the time is read too, so that a caller can distinguish "registered later" from "never registered".
const selectRegistrations = statement({
  name: 'attendees.select_histories',
  text: `
    select p.index, r.id, r.webinar_id as "webinarId", r.session_id as "sessionId", r.utm_source as "utmSource",
      r.registered_at as "registeredAt", r.cancelled_at as "cancelledAt", a.first_joined_at as "firstJoinedAt",
      coalesce(jsonb_path_exists(a.clicks, '$.* ? (@ == "offer")'), false) as "hasClickedOffer"
    from jsonb_to_recordset($2::jsonb) as p (index int, email text, until timestamptz)
    cross join lateral (
      (select ${registrationColumns} from attendees.registration r
       where r.account_id = $1 and r.email = p.email and r.registered_at <= p.until
       order by r.id desc limit ${registrationsMax + 1})
      union all
      (select ${registrationColumns} from attendees.registration r
       where r.account_id = $1 and r.email = p.email and r.registered_at > p.until
       order by r.id limit 1)
    ) r
    left join attendees.attendance a on a.account_id = $1 and a.registration_id = r.id
    order by p.index, r.id desc`,
  row: {
    index: column.integer,
    id: column.id,
    webinarId: column.id,
    sessionId: column.id,
    utmSource: nullable(column.text),
    registeredAt: column.time,
    firstJoinedAt: nullable(column.time),
    cancelledAt: nullable(column.time),
    hasClickedOffer: column.boolean,
  },
});

// The first id of a row prunes partitions for that row, $3 for the whole statement. Without a name, because a prepared plan from
// the time when the month's partition was empty would read all of it.
const selectOfferClicks = statement({
  text: `
    select w.index, e.id, e."offerId", e.at
    from jsonb_to_recordset($2::jsonb) as w (index int, registration_id uuid, first_id uuid, until timestamptz)
    cross join lateral (
      select e.id, e.data ->> 'offerId' as "offerId", e.occurred_at as at from attendees.attendee_event e
      where e.account_id = $1 and e.registration_id = w.registration_id and e.id >= w.first_id and e.id >= $3
        and e.type = 'cta_click' and e.data ? 'offerId' and e.occurred_at <= w.until
      order by e.id desc limit ${offerClicksMax}
    ) e
    order by w.index, e.id desc`,
  row: { index: column.integer, id: column.id, offerId: column.text, at: column.time },
});

/**
 * The registrations, joins and offer clicks of people, in the order of `people`, in two statements. A person is an e-mail address as
 * registrations store it. At most the newest 200 registrations of each person are read.
 */
export async function findHistories(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  people: readonly Person[],
): Promise<PersonHistory[]> {
  if (people.length === 0) return [];
  const wanted = people.map(({ email, until }, index) => ({ index, email, until }));
  const rows = await query(selectRegistrations, [accountId, JSON.stringify(wanted)]);
  const found = rows.map(({ index, hasClickedOffer, ...registration }) => ({
    index,
    hasClickedOffer,
    registration: { ...registration, offerClicks: [] as RegistrationHistory['offerClicks'] },
  }));
  const clicked = found.filter((one) => one.hasClickedOffer);
  if (clicked.length > 0) {
    const searches = clicked.map(({ index: person, registration: { id } }, index) => ({
      index,
      registration_id: id,
      first_id: lowestIdSince(id),
      until: people[person]!.until,
    }));
    const firstId = searches.map((search) => search.first_id).toSorted()[0];
    const clicks = await query(selectOfferClicks, [accountId, JSON.stringify(searches), firstId]);
    for (const { index, ...click } of clicks) clicked[index]!.registration.offerClicks.push(click);
  }
  const byPerson = Map.groupBy(found, ({ index }) => index);
  return people.map(({ until }, index) => {
    const own = (byPerson.get(index) ?? []).map(({ registration }) => registration);
    const late = own.filter(({ registeredAt }) => registeredAt > until);
    const early = own.filter(({ registeredAt }) => registeredAt <= until);
    return {
      registrations: [...late, ...early.slice(0, registrationsMax)],
      hasOlder: early.length > registrationsMax,
    };
  });
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

// Without a name, so that it is planned with the ids: a prepared plan would read every month.
const selectClicks = statement({
  text: `
    select id, registration_id as "registrationId", data ->> 'offerId' as "offerId", occurred_at as at
    from attendees.attendee_event
    where account_id = $1 and id = any($2::uuid[]) and type in ('cta_click', 'handout_download')`,
  row: {
    id: column.id,
    registrationId: column.id,
    offerId: nullable(column.text),
    at: column.time,
  },
});

/**
 * A click on an offer, a CTA or a handout. Its id is the `svc_click` of the redirect. `offerId` is null for a CTA or a handout.
 */
export type Click = RowsOf<typeof selectClicks>;

/** Finds clicks by id. Leaves out unknown ids, ids of another account, and clicks that were deleted with old events. */
export async function findClicks({ query, accountId }: Reader, ids: readonly string[]): Promise<Click[]> {
  if (ids.length === 0) return [];
  return query(selectClicks, [accountId, [...new Set(ids)]]);
}

const selectAddresses = statement({
  name: 'attendees.select_addresses',
  text: 'select id, email from attendees.registration where account_id = $1 and id = any($2::uuid[])',
  row: { id: column.id, email: column.text },
});

/** The e-mail addresses of registrations, by id. Leaves out unknown ids and ids of another account. */
export async function findAddresses(
  { query, accountId }: Reader,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(selectAddresses, [accountId, [...new Set(registrationIds)]]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

const selectJourney = statement({
  name: 'attendees.select_journey',
  text: `
    select r.registered_at as "registeredAt", a.first_joined_at as "firstJoinedAt"
    from attendees.registration r
    left join attendees.attendance a on a.account_id = r.account_id and a.registration_id = r.id
    where r.account_id = $1 and r.id = $2`,
  row: { registeredAt: column.time, firstJoinedAt: nullable(column.time) },
});

/** The times at which a person registered and first joined. */
export type Journey = RowsOf<typeof selectJourney>;

/** Undefined for a registration that does not exist or belongs to another account. */
export async function findJourney(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  registrationId: string,
): Promise<Journey | undefined> {
  const [row] = await query(selectJourney, [accountId, registrationId]);
  return row;
}

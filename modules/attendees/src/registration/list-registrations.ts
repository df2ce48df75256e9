import {
  type AccountReader,
  column,
  idAt,
  lowestIdSince,
  statement,
  withinBytes,
  withinBytesColumns,
} from '@service/database';
import { cursorId, type Principal, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { readAttendances } from '../attendance/read-attendances.ts';
import { registrationRow } from '../entities/registration.ts';
import { searchQueryOf, searchTermsSql } from '../entities/search-terms.ts';
import { AttendeeEventRow } from '../entities/attendee-event.ts';
import { findRegistration, findSessions } from './find-registration.ts';
import type { JoinLinks } from './join-token.ts';
import { mayReadRevenue, purchaseEventTypes, type Revenues } from './revenue-reader.ts';
import type { CountRegistrationsInput, ListEventsInput, ListRegistrationsInput } from './schemas.ts';
import { registrationToOutput } from './registration-to-output.ts';

/** An id is made at most this long after the time of its request: reading the body can take a minute, and the work takes time too. */
const requestMaxMs = 300_000;

/** A count ends here, so that it never reads a hundred thousand rows. */
const countMax = 10_000;

type Filters = z.output<typeof CountRegistrationsInput>;

// $1 account, $2 webinar, and the values of filterValues. The statements have no name: Postgres then plans each call anew and uses
// the index of the filters that are given.
const filtersSql = `
    r.account_id = $1 and r.webinar_id = $2 and r.status <> 'test'
    and ($3::text is null or r.email = $3)
    and ($4::uuid is null or r.session_id = $4)
    and ($5::text is null or r.status = $5)
    and ($6::text is null or r.source = $6)
    and ($7::timestamptz is null or (r.registered_at >= $7 and r.id >= $8::uuid))
    and ($9::timestamptz is null or (r.registered_at < $9 and r.id < $10::uuid))
    and ($11::text is null or ${searchTermsSql('r')} @@ lower($11)::tsquery)
    and ($12::boolean is null or r.purchased = $12)`;

/** $13 is null. */
const all = `from attendees.registration r where $13::uuid is null and ${filtersSql}`;

/** $13 is an interaction. Begins with its clicks, because few registrations may have one. */
const whoClicked = `
  from attendees.click c join attendees.registration r on r.account_id = c.account_id and r.id = c.registration_id
  where c.account_id = $1 and c.interaction_id = $13 and ${filtersSql}`;

type SortOrder = 'asc' | 'desc';

/** $14 the registration to start after or null, $15 limit. */
const pagesOf = (selectPage: (options: { after: (id: string) => string; order: SortOrder }) => string) => {
  const pageOf = (comes: '<' | '>', order: SortOrder) => {
    const after = (id: string): string => `($14::uuid is null or ${id} ${comes} $14)`;
    const wide = ['custom_fields', 'metadata', 'referrer', 'consent'];
    return statement({
      text: withinBytes(selectPage({ after, order }), { wide, orderBy: `id ${order}` }),
      row: { ...registrationRow.columns, ...withinBytesColumns },
    });
  };
  return { asc: pageOf('>', 'asc'), desc: pageOf('<', 'desc') };
};

/** Rows that a search reads in their order first, because common words are found among them. */
const walkMax = 500;

const countOf = (matching: string) =>
  statement({
    text: `select count(*)::int as total from (select ${matching} limit ${countMax + 1}) found`,
    row: { total: column.integer },
  });

const pages = {
  all: pagesOf(
    ({ after, order }) => `select r.* ${all} and ${after('r.id')} order by r.id ${order} limit $15`,
  ),
  whoClicked: pagesOf(
    ({ after, order }) =>
      `select r.* ${whoClicked} and ${after('c.registration_id')} order by c.registration_id ${order} limit $15`,
  ),
  /** Those with the words of $11 among the first of the list. */
  amongFirst: pagesOf(
    ({ after, order }) => `
      select r.* from (
        select * from attendees.registration r
        where r.account_id = $1 and r.webinar_id = $2 and ${after('r.id')}
        order by r.id ${order} limit ${walkMax}
      ) r
      where $13::uuid is null and ${filtersSql} order by r.id ${order} limit $15`,
  ),
  /**
   * Those with the words of $11, by the index of words. In one statement with the order, Postgres would read all registrations in
   * their order to find a rare word: 1.3 s for 100,000.
   */
  byWords: pagesOf(
    ({ after, order }) => `
      with found as materialized (select r.id ${all} and ${after('r.id')})
      select r.* from attendees.registration r
      where r.account_id = $1 and r.webinar_id = $2 and r.id in (select id from found order by id ${order} limit $15)
      order by r.id ${order} limit $15`,
  ),
};

const counts = { all: countOf(all), whoClicked: countOf(whoClicked) };

const baseOf = ({ clickedInteractionId }: Filters) =>
  clickedInteractionId === undefined ? 'all' : 'whoClicked';

/** registeredAt is the time of the request, and the id is made a little later. */
function filterValues(accountId: string, filters: Filters): unknown[] {
  const { webinarId, email, sessionId, status, source, q, registeredFrom, registeredTo } = filters;
  const from = registeredFrom === undefined ? null : new Date(registeredFrom);
  const to = registeredTo === undefined ? null : new Date(registeredTo);
  return [
    accountId,
    webinarId,
    email ?? null,
    sessionId ?? null,
    status ?? null,
    source ?? null,
    from,
    from && idAt(from),
    to,
    to && idAt(new Date(to.getTime() + requestMaxMs)),
    q === undefined ? null : searchQueryOf(accountId, q),
    filters.purchased ?? null,
    filters.clickedInteractionId ?? null,
  ];
}

interface ListParts {
  joinLinks: Pick<JoinLinks, 'urlOf'>;
  /** Undefined when the caller may not see revenue. */
  revenuesOf: (reader: AccountReader, registrationIds: readonly string[]) => Promise<Revenues | undefined>;
}

/** A page of a webinar's registrations, newest first unless `order` says otherwise. Throws webinar_not_found. */
export async function listRegistrations(
  reader: AccountReader,
  { limit, cursor, order, ...filters }: z.output<typeof ListRegistrationsInput>,
  { joinLinks, revenuesOf }: ListParts,
) {
  await findWebinar(reader, filters.webinarId);
  const scope = { list: 'registrations', accountId: reader.accountId, filters: { ...filters, order } };
  const after = cursorId(cursor, scope);
  const values = [...filterValues(reader.accountId, filters), after ?? null, limit + 1];
  const read = (page: keyof typeof pages) => reader.query(pages[page][order ?? 'desc'], values);
  const isSearch = filters.q !== undefined && baseOf(filters) === 'all';
  const first = await read(isSearch ? 'amongFirst' : baseOf(filters));
  const rows = isSearch && (first[0]?.found ?? 0) <= limit ? await read('byWords') : first;
  const registrations = rows.map(registrationRow.toEntity);
  const sessionById = await findSessions(reader, registrations);
  const ids = registrations.map(({ id }) => id);
  const attendances = await readAttendances(reader, ids);
  const revenues = await revenuesOf(reader, ids);
  return toPage(registrations, {
    limit,
    scope,
    found: rows[0]?.found,
    toItem: (registration) =>
      registrationToOutput(registration, sessionById.get(registration.sessionId)!, {
        joinLinks,
        attendances,
        revenues,
        now: reader.now,
      }),
  });
}

/** Counts the registrations of a webinar that match the filters of the list. Throws webinar_not_found. */
export async function countRegistrations(
  reader: AccountReader,
  filters: Filters,
): Promise<{ total: number; isMore: boolean }> {
  await findWebinar(reader, filters.webinarId);
  const [row] = await reader.query(counts[baseOf(filters)], filterValues(reader.accountId, filters));
  return { total: Math.min(row!.total, countMax), isMore: row!.total > countMax };
}

/**
 * A page of the events of a registration, newest first. Partitions of the months before the registration are not read. All later
 * ones are, because an attendee can click in a replay years later. Purchases and refunds name amounts, so they are left out for a
 * principal who may not read revenue. Throws webinar_not_found, registration_not_found.
 */
export async function listEvents(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListEventsInput>,
  principal: Principal,
) {
  const registration = await findRegistration(reader, filters);
  const scope = { list: 'attendee_events', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const first = lowestIdSince(registration.id);
  const events = await reader.em.find(
    AttendeeEventRow,
    {
      accountId: reader.accountId,
      registrationId: registration.id,
      id: { $gte: first, ...(after && { $lt: after }) },
      ...(!mayReadRevenue(principal) && { type: { $nin: [...purchaseEventTypes] } }),
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  return toPage(events, {
    limit,
    scope,
    toItem: ({ id, type, occurredAt, data }) => ({ id, type, occurredAt: occurredAt.toISOString(), data }),
  });
}

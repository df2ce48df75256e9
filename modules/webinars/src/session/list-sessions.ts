import { type AccountReader, statement } from '@service/database';
import { cursorPlace, toPage } from '@service/trpc';
import type { z } from 'zod';
import { sessionRow, statusAtSql } from '../entities/session.ts';
import { keyset, type Sorting } from '../keyset.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListSessionsByStartInput, ListSessionsInput } from './schemas.ts';
import { sessionToOutput } from './find-sessions.ts';

// Postgres refuses some offsets that are valid in ISO 8601, such as +23:59.
const toTime = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

// $1 account, $2 webinar, $3 kind or null, $4 status or null, $5 and $6 bounds of the start or null, $7 the session to start
// after or null, $8 now, $9 limit. Sorted by start: $10 the start of the session to start after, or null.
const selectPage = (name: string, sorting: Sorting) => {
  const { after, orderBy } = keyset({
    table: 'webinars.session',
    alias: 's',
    cursor: '$7',
    cursorValue: '$10::timestamptz',
    ...sorting,
  });
  return statement({
    name,
    text: `
      select s.* from webinars.session s
      where s.account_id = $1 and s.webinar_id = $2
        and ($3::text is null or s.kind = $3)
        and ($4::text is null or (${statusAtSql('$8')}) = $4)
        and ($5::timestamptz is null or s.starts_at >= $5)
        and ($6::timestamptz is null or s.starts_at < $6)
        and ${after}
      order by ${orderBy} limit $9`,
    row: sessionRow.columns,
  });
};

const start = (row: string) => `${row}.starts_at`;

const pages = {
  createdAt: {
    asc: selectPage('webinars.select_session_page_oldest_first', { order: 'asc' }),
    desc: selectPage('webinars.select_session_page', { order: 'desc' }),
  },
  startsAt: {
    asc: selectPage('webinars.select_session_page_by_start', { value: start, order: 'asc' }),
    desc: selectPage('webinars.select_session_page_by_start_descending', { value: start, order: 'desc' }),
  },
};

/** A page of a webinar's sessions. Throws webinar_not_found. */
export async function listSessions(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListSessionsInput>,
) {
  const { webinarId, status, kind, from, to } = filters;
  const { sort = 'createdAt', order = sort === 'startsAt' ? 'asc' : 'desc' } = filters;
  await findWebinar(reader, webinarId);
  const scope = { list: 'sessions', accountId: reader.accountId, filters };
  const after = cursorPlace(cursor, scope);
  const rows = await reader.query(pages[sort][order], [
    reader.accountId,
    webinarId,
    kind ?? null,
    status ?? null,
    toTime(from),
    toTime(to),
    after?.id ?? null,
    reader.now,
    limit + 1,
    ...(sort === 'startsAt' ? [after?.time ?? null] : []),
  ]);
  const toItem = (row: (typeof rows)[number]) => sessionToOutput(sessionRow.toEntity(row), reader.now);
  const timeOf = (row: (typeof rows)[number]) => row.starts_at;
  return toPage(rows, { limit, scope, toItem, ...(sort === 'startsAt' && { timeOf }) });
}

// $1 account, $2 webinar, $3 statuses, $4 now, $5 the session to start after or null, $6 limit, $7 the start of that session or null. A cancelled session without
// registrations only stops the schedule from offering its start.
const selectByStart = (name: string, sorting: Sorting) => {
  const { after, orderBy } = keyset({
    table: 'webinars.session',
    alias: 's',
    cursor: '$5',
    cursorValue: '$7::timestamptz',
    ...sorting,
  });
  return statement({
    name,
    text: `
      select s.* from webinars.session s
      where s.account_id = $1 and s.webinar_id = $2 and (${statusAtSql('$4')}) = any($3::text[])
        and (s.status <> 'cancelled' or s.was_booked) and ${after}
      order by ${orderBy} limit $6`,
    row: sessionRow.columns,
  });
};

const pagesByStart = {
  asc: selectByStart('webinars.select_sessions_earliest_first', { value: start, order: 'asc' }),
  desc: selectByStart('webinars.select_sessions_latest_first', { value: start, order: 'desc' }),
};

const lists = {
  upcoming: { statuses: ['scheduled'], nearestFirst: 'asc' },
  live: { statuses: ['live'], nearestFirst: 'asc' },
  past: { statuses: ['ended', 'cancelled'], nearestFirst: 'desc' },
} as const;

/** A page of a webinar's sessions by start, the nearest to now first unless `order` is given. Throws webinar_not_found. */
export async function listSessionsByStart(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListSessionsByStartInput>,
) {
  const { accountId, now } = reader;
  const { webinarId, when, order } = filters;
  await findWebinar(reader, webinarId);
  const scope = { list: 'sessions_by_start', accountId, filters };
  const after = cursorPlace(cursor, scope);
  const { statuses, nearestFirst } = lists[when];
  const rows = await reader.query(pagesByStart[order ?? nearestFirst], [
    accountId,
    webinarId,
    statuses,
    now,
    after?.id ?? null,
    limit + 1,
    after?.time ?? null,
  ]);
  return toPage(rows, {
    limit,
    scope,
    timeOf: ({ starts_at: startsAt }) => startsAt,
    toItem: (row) => sessionToOutput(sessionRow.toEntity(row), now),
  });
}

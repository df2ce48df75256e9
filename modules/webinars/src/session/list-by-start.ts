import { statement, type AccountReader } from '@service/database';
import { cursorPlace, toPage } from '@service/trpc';
import type { z } from 'zod';
import { sessionRow } from '../entities/session.ts';
import { keyset, type Sorting } from '../keyset.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListSessionsByStartInput } from './schemas.ts';
import { statusAtSql } from './status-at.ts';
import { sessionToOutput } from './session-to-output.ts';

// $1 account, $2 webinar, $3 statuses, $4 now, $5 the session to start after or null, $6 limit, $7 the start of that session or null. A cancelled session without
// registrations only stops the schedule from offering its start.
const select = (name: string, sorting: Sorting) => {
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

const value = (row: string) => `${row}.starts_at`;

const pages = {
  asc: select('webinars.select_sessions_earliest_first', { value, order: 'asc' }),
  desc: select('webinars.select_sessions_latest_first', { value, order: 'desc' }),
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
  const rows = await reader.query(pages[order ?? nearestFirst], [
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

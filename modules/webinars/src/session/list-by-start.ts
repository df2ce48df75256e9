import { statement, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { sessionRow } from '../entities/session.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { ListSessionsByStartInput } from './schemas.ts';
import { statusAtSql } from './status-at.ts';
import { sessionToOutput } from './to-output.ts';

// $1 account, $2 webinar, $3 statuses, $4 now, $5 the session to start after or null, $6 limit. A cancelled session without
// registrations only stops the schedule from offering its start.
const select = (name: string, [after, order]: readonly [string, string]) =>
  statement({
    name,
    text: `
      select s.* from webinars.session s
      where s.account_id = $1 and s.webinar_id = $2 and (${statusAtSql('$4')}) = any($3::text[])
        and (s.status <> 'cancelled' or s.was_booked)
        and ($5::uuid is null or (s.starts_at, s.id) ${after} (
          select c.starts_at, c.id from webinars.session c where c.account_id = $1 and c.id = $5))
      order by s.starts_at ${order}, s.id ${order} limit $6`,
    row: sessionRow.columns,
  });

const earliestFirst = select('webinars.select_sessions_earliest_first', ['>', 'asc']);
const latestFirst = select('webinars.select_sessions_latest_first', ['<', 'desc']);

const lists = {
  upcoming: { statuses: ['scheduled'], page: earliestFirst },
  live: { statuses: ['live'], page: earliestFirst },
  past: { statuses: ['ended', 'cancelled'], page: latestFirst },
};

/** A page of a webinar's sessions, the one that starts nearest to now first. Throws webinar_not_found. */
export async function listSessionsByStart(
  reader: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListSessionsByStartInput>,
) {
  const { accountId, now } = reader;
  const { webinarId, when } = filters;
  await findWebinar(reader, webinarId);
  const scope = { list: 'sessions_by_start', accountId, filters };
  const after = cursorId(cursor, scope) ?? null;
  const { statuses, page } = lists[when];
  const rows = await reader.query(page, [accountId, webinarId, statuses, now, after, limit + 1]);
  return toPage(rows, { limit, scope, toItem: (row) => sessionToOutput(sessionRow.toEntity(row), now) });
}

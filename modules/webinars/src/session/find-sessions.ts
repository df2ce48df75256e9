import { rowToEntity, type AccountReader, type Query } from '@service/database';
import type { Session } from '../entities/session.ts';

const selectByKeys = {
  name: 'webinars.select_sessions',
  text: `
    select s.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join webinars.session s using (account_id, id)`,
};

/** Sessions by id, in one statement. `keys` may be of several accounts; each session is named once. */
export async function loadSessions(
  query: Query,
  keys: readonly Pick<Session, 'accountId' | 'id'>[],
): Promise<Map<string, Session>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectByKeys, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row['id'] as string, rowToEntity<Session>(row)]));
}

const selectNext = `
  select s.* from jsonb_array_elements_text(?::jsonb) as w (id)
  cross join lateral (
    select id, webinar_id, starts_at, ends_at from webinars.session
    where account_id = ? and webinar_id = w.id::uuid and kind = 'scheduled' and status = 'scheduled' and starts_at > ?
    order by starts_at limit 1
  ) s`;

type NextSession = Pick<Session, 'id' | 'startsAt' | 'endsAt' | 'status'>;

interface Row {
  id: string;
  webinar_id: string;
  starts_at: Date;
  ends_at: Date;
}

/** The next scheduled session of each webinar, by webinar id. */
export async function nextSessions(
  reader: AccountReader,
  webinarIds: readonly string[],
): Promise<Map<string, NextSession>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await reader.em.execute<Row[]>(selectNext, [
    JSON.stringify(webinarIds),
    reader.accountId,
    reader.now,
  ]);
  return new Map(
    rows.map((row) => [
      row.webinar_id,
      {
        id: row.id,
        startsAt: new Date(row.starts_at),
        endsAt: new Date(row.ends_at),
        status: 'scheduled',
      },
    ]),
  );
}

interface PlannedQuery {
  webinarId: string;
  limit: number;
}

const selectPlanned = {
  name: 'webinars.select_planned_sessions',
  text: `
    select id, starts_at as "startsAt" from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and status = 'scheduled' and starts_at > $3
    order by starts_at limit $4`,
};

/** The future scheduled sessions of a webinar, with or without registrations, soonest first. */
export const plannedSessions = (
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  { webinarId, limit }: PlannedQuery,
): Promise<{ id: string; startsAt: Date }[]> => query(selectPlanned, [accountId, webinarId, now, limit]);

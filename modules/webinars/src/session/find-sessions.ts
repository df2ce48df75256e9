import { type AccountReader, column, type Query, statement } from '@service/database';
import type { z } from 'zod';
import { recordToOutput } from '@service/trpc/fields';
import { positionAt, Session, sessionRow, statusAt } from '../entities/session.ts';
import { webinarErrors } from '../errors.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import { type SessionInput, SessionOutput } from './schemas.ts';

const selectByKeys = statement({
  name: 'webinars.select_sessions',
  text: `
    select s.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join webinars.session s using (account_id, id)`,
  row: sessionRow.columns,
});

/** Sessions by id, in one statement. `keys` may be of several accounts; each session is named once. */
export async function loadSessions(
  query: Query,
  keys: readonly Pick<Session, 'accountId' | 'id'>[],
): Promise<Map<string, Session>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectByKeys, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row.id, sessionRow.toEntity(row)]));
}

const selectNext = statement({
  name: 'webinars.select_next_sessions',
  text: `
    select s.* from unnest($2::uuid[]) as w (id)
    cross join lateral (
      select id, webinar_id as "webinarId", starts_at as "startsAt", ends_at as "endsAt", status,
        registered_count as "registeredCount" from webinars.session
      where account_id = $1 and webinar_id = w.id and kind = 'scheduled' and status = 'scheduled' and starts_at > $3
      order by starts_at limit 1
    ) s`,
  row: {
    id: column.id,
    webinarId: column.id,
    startsAt: column.time,
    endsAt: column.time,
    status: column.textOf<Session['status']>(),
    registeredCount: column.integer,
  },
});

type NextSession = Pick<Session, 'id' | 'startsAt' | 'endsAt' | 'status' | 'registeredCount'>;

/** The next scheduled session of each webinar, by webinar id. */
export async function nextSessions(
  { query, accountId, now }: AccountReader,
  webinarIds: readonly string[],
): Promise<Map<string, NextSession>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await query(selectNext, [accountId, webinarIds, now]);
  return new Map(rows.map((row) => [row.webinarId, row]));
}

interface PlannedQuery {
  webinarId: string;
  limit: number;
}

const selectPlanned = statement({
  name: 'webinars.select_planned_sessions',
  text: `
    select id, starts_at as "startsAt" from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and status = 'scheduled' and starts_at > $3
    order by starts_at limit $4`,
  row: { id: column.id, startsAt: column.time },
});

/** The future scheduled sessions of a webinar, with or without registrations, soonest first. */
export const plannedSessions = (
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  { webinarId, limit }: PlannedQuery,
): Promise<{ id: string; startsAt: Date }[]> => query(selectPlanned, [accountId, webinarId, now, limit]);

/** The output of one session. Throws webinar_not_found, session_not_found. */
export async function getSession(
  reader: AccountReader,
  { webinarId, sessionId }: z.output<typeof SessionInput>,
) {
  await findWebinar(reader, webinarId);
  const session = await reader.em.findOne(Session, {
    accountId: reader.accountId,
    id: sessionId,
    webinarId,
  });
  if (!session) throw webinarErrors.session_not_found();
  return sessionToOutput(session, reader.now);
}

export const sessionToOutput = (session: Session, now: Date): z.input<typeof SessionOutput> =>
  recordToOutput(SessionOutput, session, {
    status: statusAt(session, now),
    positionSeconds: positionAt(session, now),
    registrationCount: session.registeredCount,
  });

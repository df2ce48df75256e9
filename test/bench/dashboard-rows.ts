// A workspace with many rows. One of each kind is made through the API, and Postgres copies it.
import type { Database } from '@service/database';
import { countQuarters } from '@service/deliveries';
import { createPublishedWebinar } from '../support/factories.ts';
import type { SignedUp } from '../support/sign-up.ts';
import { fillDeliveries } from './grow-rows.ts';

export interface FilledWorkspace {
  member: SignedUp;
  webinarId: string;
  /** The session of all registrations. */
  sessionId: string;
  archivedId: string;
  ruleId: string;
  /** Newest first, one page. */
  registrationIds: string[];
}

interface Fill {
  /** Published ones, and as many archived ones. */
  webinars: number;
  registrations: number;
  /** In the audit log. */
  changes: number;
  deliveries: number;
  days: number;
}

const pageRows = 50;

export async function fillWorkspace(
  database: Database,
  member: SignedUp,
  { webinars, registrations, changes, deliveries, days }: Fill,
): Promise<FilledWorkspace> {
  const { pool } = database;
  const { accountId } = member;
  const sessionTime = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;
  const ids: string[] = [];
  for (let made = 0; made < 2 * webinars; made += 1)
    ids.push(
      (await createPublishedWebinar(database, accountId, { sessionTime, title: `Webinar ${made}` })).id,
    );
  const webinarId = ids[0]!;
  const archivedIds = ids.slice(webinars);
  await pool.query(
    `update webinars.webinar set status = 'archived' where account_id = $1 and id = any ($2)`,
    [accountId, archivedIds],
  );
  const mutate = member.mutate<{ id: string }>;
  const person = { name: 'Ada Lovelace', email: 'ada@example.com' };
  const registration = await mutate('registrations.create', { webinarId, sessionTime, ...person });
  const rule = await mutate('automations.rules.create', {
    webinarId,
    name: 'To the CRM',
    trigger: { type: 'registered', params: {} },
    action: { type: 'webhook', url: 'http://127.0.0.1:9/hook' },
  });
  const { rows: endpoints } = await pool.query<{ id: string }>(
    'select id from deliveries.endpoint where account_id = $1',
    [accountId],
  );
  await copyRegistrations(database, { accountId, registrationId: registration.id }, registrations);
  await addChanges(database, member, changes);
  const endpointIds = endpoints.map(({ id }) => id);
  await fillDeliveries(pool, { rows: deliveries, days, now: new Date(), accountId, endpointIds });
  await countAll(database);
  const { rows } = await pool.query<{ id: string; session_id: string }>(
    `select id, session_id from attendees.registration where account_id = $1 and webinar_id = $2 order by id desc limit ${pageRows}`,
    [accountId, webinarId],
  );
  return {
    member,
    webinarId,
    sessionId: rows[0]!.session_id,
    archivedId: archivedIds[0]!,
    ruleId: rule.id,
    registrationIds: rows.map(({ id }) => id),
  };
}

/** As the workers of a service have counted them long ago. */
async function countAll(database: Database): Promise<void> {
  const count = async (): Promise<number> =>
    (await database.pool.query('select from deliveries.delivery_count')).rowCount!;
  for (let before = -1, after = 0; before !== after; after = await count()) {
    before = after;
    await countQuarters(database);
  }
}

/** Rows of the last ninety days with their number, id and hash. $1: how many. */
export const numbered = `
  select n, hash, at_ms, (lpad(to_hex(at_ms), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid as id
  from (
    select n, md5(n::text || 'row') as hash,
      ((extract(epoch from now()) - 90 * 86400.0 * n / $1::int) * 1000)::bigint as at_ms
    from generate_series(1, $1::int) n
  ) hashed`;

export async function addChanges(
  { pool }: Pick<Database, 'pool'>,
  { accountId, userId }: Pick<SignedUp, 'accountId' | 'userId'>,
  changes: number,
): Promise<void> {
  await pool.query(
    `insert into accounts.member_change (account_id, id, member_id, member_name, procedure, records, fields)
     select $2, id, $3, 'Ada', 'webinars.update', '[]', '{title}' from (${numbered}) numbered`,
    [changes, accountId, userId],
  );
  await pool.query('vacuum (analyze) accounts.member_change');
}

/** Copies a registration. */
export async function copyRegistrations(
  { pool }: Pick<Database, 'pool'>,
  { accountId, registrationId }: { accountId: string; registrationId: string },
  copies: number,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    await client.query(
      `insert into attendees.registration
       select (jsonb_populate_record(r, jsonb_build_object(
         'id', numbered.id, 'name', left(hash, 6) || ' ' || substr(hash, 7, 8), 'email', 'person-' || n || '@example.com',
         'registered_at', to_timestamp(at_ms / 1000.0)))).*
       from attendees.registration r
       cross join (${numbered}) numbered
       where r.account_id = $2 and r.id = $3`,
      [copies, accountId, registrationId],
    );
    await client.query('vacuum (analyze) attendees.registration');
  } finally {
    client.release(true);
  }
}

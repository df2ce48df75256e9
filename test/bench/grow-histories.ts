// The rows of further lists, in the workspace of the events, over ninety days: registrations, executions, calls, the ledger, mails, sends to
// a marketing tool, suppressions, the audit log and refused events.
import { ensurePartitions, type Database } from '@service/database';
import { automationsModule } from '@service/automations';
import { contactsModule } from '@service/contacts';
import { mailsModule } from '@service/mails';
import { allInStep } from '../contacts/contacts-world.ts';
import { insertMarketingConnection } from '../support/marketing-connections.ts';
import { fillActivity } from './activity-rows.ts';
import { addChanges, copyRegistrations, numbered } from './dashboard-rows.ts';
import type { FilledEvents } from './grow-events.ts';
import { fillLedger } from './revenue-rows.ts';

const dayMs = 86_400_000;

export interface FilledHistories extends FilledEvents {
  /** To a marketing tool. */
  connectionId: string;
}

/** An account keeps no more. */
const refusedMax = 1000;

/** Executions are as many as `rows`, refused events as many as an account keeps, and the other rows a tenth. */
export async function fillHistories(
  { pool }: Pick<Database, 'pool'>,
  filled: FilledEvents,
  { rows, days, now }: { rows: number; days: number; now: Date },
): Promise<FilledHistories> {
  const { accountId, webinarId, newRegistrationId: registrationId } = filled;
  const tenth = Math.floor(rows / 10);
  await copyRegistrations({ pool }, { accountId, registrationId }, tenth);
  await fillActivity(pool, tenth, now, accountId);
  await fillLedger(pool, accountId, tenth);
  await addChanges({ pool }, filled, tenth);
  const connectionId = await insertMarketingConnection({ pool }, filled.connections, {
    accountId,
    provider: 'mailchimp',
    credential: {},
    baseUrl: 'http://127.0.0.1:9',
    sync: allInStep,
  });
  const from = new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
  const { partitions } = automationsModule;
  const tables = [...partitions, ...mailsModule.partitions, ...contactsModule.partitions];
  await ensurePartitions(pool, tables, { now: from, daysAhead: days });
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    await client.query(insertExecutions, [accountId, from.getTime(), (days * dayMs) / rows, rows]);
    await client.query(insertMails, [tenth, accountId, webinarId, filled.oldRegistrationId]);
    await client.query(insertSends, [tenth, accountId, connectionId]);
    await client.query(insertSuppressions, [tenth, accountId]);
    await client.query(insertRefused, [Math.min(tenth, refusedMax), accountId]);
    for (const table of ['automations.execution', 'mails.mail', 'contacts.send', 'mails.suppression'])
      await client.query(`vacuum (analyze) ${table}`);
  } finally {
    client.release(true);
  }
  return { ...filled, connectionId };
}

/** A page of them is of the registration $4. */
const insertMails = `
  insert into mails.mail (account_id, id, webinar_id, session_id, registration_id, kind, purpose, to_address, status)
  select $2, id, $3, $3, case when n % greatest($1::int / 30, 1) = 0 then $4::uuid else overlay(id::text placing '9' from 20)::uuid end,
    'thank_you', 'service', 'person-' || n || '@example.com', 'sent'
  from (${numbered}) numbered`;

const insertSends = `
  insert into contacts.send (account_id, id, connection_id, contact, causes, calls, status, outcome, duration_ms, fields)
  select $2, id, $3, 'person-' || n || '@example.com', '[]', '["Add or update member"]', 200, 'done', 143, '["LASTWEB"]'
  from (${numbered}) numbered`;

const insertSuppressions = `
  insert into mails.suppression (account_id, address, reason, added_at)
  select $2, 'person-' || hash || '@example.com', 'unsubscribed', to_timestamp(at_ms / 1000.0) from (${numbered}) numbered`;

const insertRefused = `
  insert into revenue.refused_event (account_id, id, provider, reason, issues, sealed_body, size, received_at)
  select $2, id, 'generic', 'invalid_fields', '[]', decode(repeat(hash, 8), 'hex'), 128, now() from (${numbered}) numbered`;

// Copies of the one that the rule has made. One in ten was skipped.
const insertExecutions = `
  insert into automations.execution
  select (jsonb_populate_record(one.e, jsonb_build_object(
    'id', (lpad(to_hex($2::bigint + (n * $3::float8)::bigint), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid,
    'registration_id', overlay(overlay(hash placing '7' from 13) placing '8' from 17)::uuid,
    'outcome', case when n % 10 = 0 then 'skipped' else 'matched' end,
    'skip_reason', case when n % 10 = 0 then 'condition_not_met' end))).*
  from (select e from automations.execution e where account_id = $1 limit 1) one
  cross join (select n, md5(n::text || 'execution') as hash from generate_series(0, $4::int - 1) n) numbered`;

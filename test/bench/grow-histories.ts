// The rows of further lists, in the workspace of the events: registrations, executions, calls and the ledger, over ninety days.
import { ensurePartitions, type Database } from '@service/database';
import { automationsModule } from '@service/automations';
import { fillActivity } from './activity-rows.ts';
import { copyRegistrations } from './dashboard-rows.ts';
import type { FilledEvents } from './grow-events.ts';
import { fillLedger } from './revenue-rows.ts';

const dayMs = 86_400_000;

/** Executions are as many as `rows` and the other rows a tenth of it. */
export async function fillHistories(
  { pool }: Pick<Database, 'pool'>,
  filled: FilledEvents,
  { rows, days, now }: { rows: number; days: number; now: Date },
): Promise<void> {
  const { accountId, newRegistrationId: registrationId } = filled;
  const tenth = Math.floor(rows / 10);
  await copyRegistrations({ pool }, { accountId, registrationId }, tenth);
  await fillActivity(pool, tenth, now, accountId);
  await fillLedger(pool, accountId, tenth);
  const from = new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
  await ensurePartitions(pool, automationsModule.partitions, { now: from, daysAhead: days });
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off');
    await client.query(insertExecutions, [accountId, from.getTime(), (days * dayMs) / rows, rows]);
    await client.query('vacuum (analyze) automations.execution');
  } finally {
    client.release(true);
  }
}

// Copies of the one that the rule has made. One in ten was skipped.
const insertExecutions = `
  insert into automations.execution
  select (jsonb_populate_record(e, jsonb_build_object(
    'id', (lpad(to_hex($2::bigint + (n * $3::float8)::bigint), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid,
    'registration_id', overlay(overlay(hash placing '7' from 13) placing '8' from 17)::uuid,
    'outcome', case when n % 10 = 0 then 'skipped' else 'matched' end,
    'skip_reason', case when n % 10 = 0 then 'condition_not_met' end))).*
  from (select * from automations.execution where account_id = $1 limit 1) e
  cross join (select n, md5(n::text || 'execution') as hash from generate_series(0, $4::int - 1) n) numbered`;

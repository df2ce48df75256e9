import { randomUUID } from 'node:crypto';
import { activityModule } from '@service/activity';
import { createId, ensurePartitions, type Database } from '@service/database';

export interface FilledActivity {
  accountId: string;
  /** Has made most of the calls. */
  busyKeyId: string;
  /** Has called twice, once in the first and once in the last month. */
  rareKeyId: string;
  /** Of a call in the middle. */
  requestId: string;
}

const days = 90;
const dayMs = 86_400_000;

/**
 * Spreads calls of one account evenly over ninety days: five keys, three in ten over MCP, one in a hundred failed. Rows are
 * made by Postgres itself; the counts are what the recorder would have counted.
 */
export async function fillActivity(
  pool: Database['pool'],
  rows: number,
  now: Date,
  accountId: string = randomUUID(),
): Promise<FilledActivity> {
  const from = new Date(now.getTime() - days * dayMs);
  await ensurePartitions(pool, activityModule.partitions, { now: from, daysAhead: days + 1 });
  const keyIds = Array.from({ length: 5 }, () => createId());
  const rareKeyId = createId();
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(insertCalls, [
      accountId,
      keyIds,
      rows,
      from.getTime(),
      (days * dayMs) / rows,
      rareKeyId,
    ]);
    await client.query(insertCounts);
    await client.query('vacuum analyze activity.api_call');
    await client.query('vacuum analyze activity.api_call_count');
  } finally {
    client.release(true);
  }
  return { accountId, busyKeyId: keyIds[0]!, rareKeyId, requestId: `request-${Math.floor(rows / 2)}` };
}

// The key's number grows with the square of chance, so that the first is the busiest.
const insertCalls = `
  insert into activity.api_call
    (account_id, id, surface, status, method, path, tool, replayed, key_id, key_label, duration_ms, request_id)
  select $1, (lpad(to_hex($4::bigint + (n * $5::float8)::bigint), 12, '0') || '7' || left(hash, 3) || '8' || substr(hash, 4, 15))::uuid,
    case when chance < 77 then 'mcp' else 'rest' end, case when n % 100 = 7 then 422 else 200 end,
    case when chance < 77 then null else 'POST' end,
    case when chance < 77 then null else '/api/v1/webinars/' || hash || '/registrations' end,
    case when chance < 77 then 'register_attendee' end, false,
    case when n in ($3::int / 5, $3::int / 5 * 4) then $6::uuid else ($2::uuid[])[1 + (n % 47 * (n % 47) * 5 / 2210)] end,
    'Production key', n % 40, 'request-' || n
  from (
    select n, md5(n::text) as hash, get_byte(decode(left(md5(n::text), 2), 'hex'), 0) as chance
    from generate_series(0, $3::int - 1) n
  ) call`;

const insertCounts = `
  insert into activity.api_call_count (account_id, key_id, starts_at, surface, key_label, successes, failures)
  select account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'), to_timestamp(quarter * 900), surface,
    case when key_id is null then '' else max(key_label) end,
    count(*) filter (where status < 400), count(*) filter (where status >= 400)
  from (
    select *, ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 900000 as quarter from activity.api_call
  ) call
  group by grouping sets ((account_id, quarter, surface), (account_id, quarter, surface, key_id))`;

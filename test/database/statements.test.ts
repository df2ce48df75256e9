// Every declared statement of the service, planned by the database with its present schema.
import '@service/composition';
import { declaredStatements, type Statement } from '@service/database/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { describeStatement } from '../support/describe-statement.ts';
import { wideScans, type PlanNode } from '../support/wide-scans.ts';

const nameOf = ({ name, text }: Statement): string => name ?? text;

async function connect() {
  const db = await testDatabase();
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await db[Symbol.asyncDispose]();
    },
  };
}

test('no two statements have the same name', () => {
  const names = declaredStatements().flatMap(({ name }) => name ?? []);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the rows of every statement have exactly the declared columns, with types of their values', async () => {
  await using db = await connect();
  for (const statement of declaredStatements()) {
    const fields = await describeStatement(db.client, statement.text).catch((error: unknown) => {
      throw new Error(`${nameOf(statement)} cannot be prepared`, { cause: error });
    });
    if (statement.row === undefined) continue;
    const columns = Object.entries(statement.row as Record<string, { types?: readonly number[] }>);
    expect(fields.map(({ name }) => name).toSorted(), nameOf(statement)).toEqual(
      columns.map(([name]) => name).toSorted(),
    );
    const typeOf = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
    for (const [name, { types }] of columns)
      if (types) expect(types, `${name} of ${nameOf(statement)}`).toContain(typeOf.get(name));
  }
});

async function planOf(client: pg.Client, text: string): Promise<PlanNode> {
  const { rows } = await client.query(`explain (generic_plan, verbose, costs off, format json) ${text}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** Tables that grow with traffic, with the columns that many rows of an account have in common. */
const growing = new Map([
  ['accounts.session', []],
  ['activity.api_call', []],
  ['activity.api_call_count', []],
  ['attendees.attendance', ['webinar_id']],
  ['attendees.attendee_event', ['type']],
  ['attendees.click', []],
  ['attendees.poll_count', []],
  ['attendees.registration', ['webinar_id', 'status']],
  ['automations.execution', ['webinar_id']],
  ['automations.firing', []],
  ['automations.timer', []],
  ['contacts.change', []],
  ['contacts.send', ['outcome', 'connection_id']],
  ['contacts.send_values', []],
  ['deliveries.attempt', []],
  ['deliveries.body', []],
  ['deliveries.delivery', ['ended_as']],
  ['deliveries.delivery_count', []],
  ['deliveries.due', []],
  ['idempotency.kept_answer', []],
  ['keys.access_token', []],
  ['mails.due', ['priority']],
  ['mails.mail', ['kind', 'status', 'connection_id']],
  ['mails.provider_event', []],
  ['mails.session_timer', ['webinar_id']],
  ['mails.suppression', ['reason']],
  ['revenue.credit', ['webinar_id', 'level']],
  ['revenue.credit_retry', []],
  ['revenue.event_key', ['provider', 'kind']],
  ['revenue.payment', ['state']],
  ['revenue.purchase_description', ['provider', 'kind']],
  ['revenue.refused_event', []],
  ['revenue.revenue_event', ['provider', 'type']],
  ['webinars.session', ['kind', 'status']],
]);

/** Named statements that may read more of a growing table, and the reason. */
const wideStatements: Record<string, string> = {
  'attendees.count_emails':
    'It counts the people of an account when a member sends everyone again, up to a million.',
  'contacts.measure_queue': 'It reads one due change of each connection, and counts up to 100,000.',
  'contacts.select_due_lanes': 'It reads one due change of each connection.',
  'contacts.select_parked_lanes': 'It reads one parked change of each connection.',
  'idempotency.correct_counts': 'The hourly sweep adds up all kept answers of some accounts.',
  'mails.claim': 'It walks along the due mails of an account up to a limit, and counts those that are open.',
  'mails.correct_waiting_counts': 'The hourly sweep counts the waiting mails of all accounts.',
  'mails.delete_old_reports': 'The hourly sweep reads a range of times.',
  'mails.revise_plans_of_webinar': 'A change of the mails of a webinar. Its sessions limit what is read.',
  'mails.select_due_accounts': 'It reads one due mail of each account.',
  'mails.select_free_addresses': 'It reads by an index of a function, up to a limit.',
  'mails.select_excess': 'It reads by an index of a function, up to a limit.',
  'revenue.delete_oldest_refused_events': 'An account keeps few refused events.',
};

async function readIndexColumns(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select n.nspname || '.' || c.relname as name,
       array(select replace(pg_get_indexdef(c.oid, place, true), '"', '') from generate_series(1, i.indnkeyatts) place) as columns
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^(pg_|information_schema)'`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

async function readTablesOfPartitions(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; table: string }>(
    'select inhrelid::regclass::text as name, inhparent::regclass::text as table from pg_inherits',
  );
  return new Map(rows.map(({ name, table }) => [name, table]));
}

async function wideScansIn(client: pg.Client): Promise<(text: string) => Promise<string[]>> {
  const options = {
    growing,
    indexes: await readIndexColumns(client),
    tableOf: await readTablesOfPartitions(client),
  };
  return async (text) => wideScans(await planOf(client, text), options);
}

// A connection keeps the plan of a named statement that it made while the tables were empty.
test('the first plan of every named statement reads growing tables by keys', async () => {
  await using db = await connect();
  const scansOf = await wideScansIn(db.client);
  const wide: Record<string, string[]> = {};
  for (const { name, text } of declaredStatements()) {
    const tables = name === undefined ? [] : await scansOf(text);
    if (tables.length > 0) wide[name!] = tables;
  }
  const unexplained = Object.entries(wide).filter(([name]) => !(name in wideStatements));
  expect(Object.fromEntries(unexplained)).toEqual({});
  expect(Object.keys(wideStatements).filter((name) => !(name in wide))).toEqual([]);
});

test('a plan that reads more of a growing table than a key names is found', async () => {
  await using db = await connect();
  const scansOf = await wideScansIn(db.client);
  const from = 'select from attendees.registration r';
  expect(await scansOf(`${from} where account_id = $1 and id = any($2::uuid[])`)).toEqual([]);
  expect(await scansOf(`${from} where account_id = $1 and email = $2`)).toEqual([]);
  expect(await scansOf(`${from} where account_id = $1 order by id limit 10`)).toEqual([]);
  const found = ['attendees.registration'];
  expect(await scansOf(from)).toEqual(found);
  expect(await scansOf(`${from} where account_id = $1 and webinar_id = $2`)).toEqual(found);
  expect(await scansOf(`${from} where account_id = $1 order by name limit 10`)).toEqual(found);
  expect(
    await scansOf(`
      ${from} join json_to_recordset($2::json) as n (id uuid) on r.id = n.id where r.account_id = $1`),
  ).toEqual(found);
});

test('a walk along an index is found if it filters by a key, and not otherwise', () => {
  const walk = (index: string, conditions: Record<string, string>): PlanNode => ({
    'Node Type': 'Limit',
    Plans: [
      {
        'Node Type': 'Index Scan',
        Schema: 'revenue',
        'Relation Name': 'payment',
        'Index Name': index,
        'Index Cond': '(p.account_id = $1)',
        ...conditions,
      },
    ],
  });
  const indexes = new Map([['revenue.occurred', ['account_id', 'occurred_at', 'id']]]);
  const scansOf = (plan: PlanNode): string[] => wideScans(plan, { growing, indexes, tableOf: new Map() });
  expect(scansOf(walk('occurred', {}))).toEqual([]);
  expect(scansOf(walk('occurred', { Filter: '(p.amount > $2)' }))).toEqual([]);
  expect(scansOf(walk('occurred', { Filter: '(p.id = $2)' }))).toEqual(['revenue.payment']);
  expect(scansOf(walk('occurred', { 'Index Cond': '((p.account_id = $1) AND (p.id = wanted.id))' }))).toEqual(
    ['revenue.payment'],
  );
  const join = { 'Node Type': 'Nested Loop', 'Join Filter': '(p.id = c.id)' };
  const [scan] = walk('occurred', {}).Plans!;
  expect(scansOf({ 'Node Type': 'Limit', Plans: [{ ...join, Plans: [scan!] }] })).toEqual([
    'revenue.payment',
  ]);
});

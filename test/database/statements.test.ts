// Every declared statement of the service, planned by the database with its present schema.
import '@service/composition';
import { declaredStatements, type Statement } from '@service/database/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { describeStatement } from '../support/describe-statement.ts';
import {
  unboundTables,
  type AccountTable,
  type AccountTables,
  type PlanNode,
} from '../support/unbound-tables.ts';

const ours = ({ text }: Statement): boolean => !text.includes('graphile_worker.');
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

/** Tables of better-auth name the account in another column. */
const otherAccountColumns = [
  ['accounts.organization', 'id'],
  ['accounts.member', 'organizationId'],
  ['accounts.invitation', 'organizationId'],
] as const;

async function readAccountTables(client: pg.Client): Promise<AccountTables> {
  const { rows } = await client.query<{ name: string; is_partition: boolean }>(
    `select n.nspname || '.' || c.relname as name, c.relispartition as is_partition
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'account_id' and c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'`,
  );
  const named = rows.map(
    (row) => [row.name, { column: 'account_id', isPartition: row.is_partition }] as const,
  );
  const others = otherAccountColumns.map(([name, column]) => [name, { column, isPartition: false }] as const);
  return new Map<string, AccountTable>([...named, ...others]);
}

async function planOf(client: pg.Client, text: string): Promise<PlanNode> {
  const { rows } = await client.query(`explain (generic_plan, verbose, costs off, format json) ${text}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

test('every statement names the account on every table, or says why it does not', async () => {
  await using db = await connect();
  const accountTables = await readAccountTables(db.client);
  const unbound: Record<string, string[]> = {};
  const needless: string[] = [];
  for (const statement of declaredStatements().filter(ours)) {
    const tables = unboundTables(await planOf(db.client, statement.text), accountTables);
    if (tables.length === 0 && statement.allAccounts !== undefined) needless.push(nameOf(statement));
    if (tables.length > 0 && statement.allAccounts === undefined) unbound[nameOf(statement)] = tables;
  }
  expect(unbound).toEqual({});
  expect(needless).toEqual([]);
});

test('a table without a condition on the account is found, also in a join and below another table', async () => {
  await using db = await connect();
  const accountTables = await readAccountTables(db.client);
  const tablesOf = async (text: string): Promise<string[]> =>
    unboundTables(await planOf(db.client, text), accountTables);
  const bound = `
    select from webinars.session s join webinars.webinar w on w.account_id = s.account_id and w.id = s.webinar_id
    where s.account_id = $1`;
  expect(await tablesOf(bound)).toEqual([]);
  expect(await tablesOf('select from webinars.session where id = $1')).toEqual(['webinars.session']);
  expect(
    await tablesOf(`
      select from webinars.session s join webinars.webinar w on w.id = s.webinar_id where s.account_id = $1`),
  ).toEqual(['webinars.webinar']);
  expect(
    (
      await tablesOf(`
      select from webinars.session s join webinars.webinar w on w.account_id = s.account_id and w.id = s.webinar_id
      where s.id = $1`)
    ).toSorted(),
  ).toEqual(['webinars.session', 'webinars.webinar']);
  expect(await tablesOf('update webinars.session set status = $2 where id = $1')).toEqual([
    'webinars.session',
  ]);
  expect(
    await tablesOf(`
      select from webinars.session where account_id = $1 and exists (select from webinars.session where id = $2)`),
  ).toEqual(['webinars.session']);
  expect((await tablesOf('select from attendees.attendee_event where id = $1')).length).toBeGreaterThan(0);
});

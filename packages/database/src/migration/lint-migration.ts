// Checks a migration by what it does: it runs on a database, and after each step of statements Postgres is asked for the locks, the
// rewritten tables, the indexes and the constraints. Only tables that existed before matter, since no call uses a new one.
import type pg from 'pg';
import { openMigrationSession } from './migration-session.ts';
import { stepsOf, type MigrationEntry } from './migration.ts';
import { prepareRecords, runStep } from './run-migration.ts';

interface LintOptions {
  /** A database without rows on which all earlier migrations have run. Superuser: event triggers need one. */
  url: string;
  migration: MigrationEntry;
  /** The names of all earlier migrations. */
  earlier: readonly string[];
}

/** Runs the migration. Returns each thing in it that would stop calls or older processes, with what to write instead. */
export async function lintMigration({ url, migration, earlier }: LintOptions): Promise<string[]> {
  await using session = await openMigrationSession({ url });
  const { client } = session;
  await prepareRecords(session);
  const { rewrites, proven } = await listenToChanges(client);
  const atFirst = await readCatalogue(client);
  const isOld = (table: string): boolean => atFirst.tables.has(table);
  const problems: string[] = [];
  for (const [index, step] of stepsOf(migration).entries()) {
    const number = index + 1;
    if (!('sql' in step)) {
      await runStep(session, step, { name: migration.name, number, after: [] });
      continue;
    }
    const before = await readCatalogue(client);
    const files = await readFiles(client);
    await client.query('begin');
    await client.query(step.sql);
    const after = await readCatalogue(client);
    const changed = await readChangedTables(client);
    const filesAfter = await readFiles(client);
    await client.query('commit');
    const rewritten = rewrites.splice(0);
    const emptied = [...filesAfter].filter(
      ([table, file]) => files.get(table) !== file && !rewritten.some((one) => one.table === table),
    );
    const found = [
      ...rewritten,
      ...emptied.map(([table]) => describeEmptied(table)),
      ...compareStep(before, after, proven),
      ...changed.map(describeChanged),
    ];
    for (const { table, problem } of found) if (isOld(table)) problems.push(`Step ${number} ${problem}`);
  }
  const removed = findRemoved(atFirst, await readCatalogue(client));
  return [...problems, ...checkCompatibility(migration, earlier, removed)];
}

interface Problem {
  table: string;
  problem: string;
}

const describeChanged = (table: string): Problem => ({
  table,
  problem: `changes rows of ${table} in one transaction. Write a step "backfill".`,
});

const describeEmptied = (table: string): Problem => ({
  table,
  problem:
    `empties ${table} with truncate, and every call that uses it waits. Delete the rows in a step "backfill", or create a ` +
    'new table.',
});

function compareStep(before: Catalogue, after: Catalogue, proven: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = [];
  for (const [name, { table }] of after.indexes)
    if (!before.indexes.has(name))
      problems.push({
        table,
        problem: `builds the index ${name} of ${table} and writers wait. Write a step "index".`,
      });
  for (const [key, { table, name, isValid }] of after.constraints)
    if (isValid && !before.constraints.has(key))
      problems.push({
        table,
        problem:
          `compares all rows of ${table} with the constraint ${name} and all calls wait. Write a step "constraint", ` +
          'or add it "not valid".',
      });
  for (const [key, { table, name, isNotNull, isStored }] of after.columns)
    if (
      isStored &&
      isNotNull &&
      before.columns.get(key)?.isNotNull === false &&
      !proven.has(key.slice(key.indexOf('.') + 1))
    )
      problems.push({
        table,
        problem:
          `reads all rows of ${table} for "not null" of ${name} and all calls wait. Write a step "constraint" with ` +
          `check (${name} is not null) before this one, and drop it in a statement after this one.`,
      });
  return problems;
}

/** Names of what statements of older processes can use and the migration takes away or demands. */
function findRemoved(before: Catalogue, after: Catalogue): string[] {
  const isOld = ({ table }: { table: string }): boolean => before.tables.has(table);
  return [
    ...[...before.tables].filter((table) => !after.tables.has(table)),
    ...[...before.columns]
      .filter(([key, { type }]) => after.columns.get(key)?.type !== type)
      .map(([key]) => key),
    ...[...after.columns]
      .filter(([key, column]) => isOld(column) && column.isRequired && !before.columns.get(key)?.isRequired)
      .map(([key]) => key),
    // `on conflict` names them or their columns.
    ...[...before.indexes]
      .filter(([name, { isUnique }]) => isUnique && !after.indexes.has(name))
      .map(([name]) => name),
  ];
}

function checkCompatibility(
  { compatibleFrom }: MigrationEntry,
  earlier: readonly string[],
  removed: readonly string[],
): string[] {
  if (compatibleFrom === undefined)
    return removed.length > 0
      ? []
      : [
          'compatibleFrom is missing: processes of all former versions would not be ready, although nothing that they use is gone. ' +
            'Name an earlier migration: versions that have it may run beside this one.',
        ];
  return earlier.includes(compatibleFrom)
    ? []
    : [`compatibleFrom names no earlier migration: ${compatibleFrom}`];
}

interface Catalogue {
  tables: Set<string>;
  /** By table and name. */
  columns: Map<
    string,
    {
      table: string;
      name: string;
      type: string;
      isNotNull: boolean;
      /** Not null and without a default: an insert must give it. */
      isRequired: boolean;
      /** False for a partitioned table, whose rows are in its partitions. */
      isStored: boolean;
    }
  >;
  /** By name, with the schema. */
  indexes: Map<string, { table: string; isUnique: boolean }>;
  /** Checks, foreign keys and exclusions, by their ids. */
  constraints: Map<string, { table: string; name: string; isValid: boolean }>;
}

const ownTables = `
  select c.oid, n.nspname || '.' || c.relname as table, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public')`;

async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const read = async <Row>(text: string): Promise<Map<string, Row>> => {
    const { rows } = await client.query<Row & { key: string }>(`with t as (${ownTables}) ${text}`);
    return new Map(rows.map((row) => [row.key, row]));
  };
  const tables = await read('select t.table as key from t');
  return {
    tables: new Set(tables.keys()),
    columns: await read(`
      select t.table || '.' || attname as key, t.table, attname as name, format_type(atttypid, atttypmod) as type,
        attnotnull as "isNotNull",
        attnotnull and not atthasdef and attidentity = '' as "isRequired", t.kind = 'r' as "isStored"
      from t join pg_attribute on attrelid = t.oid and attnum > 0 and not attisdropped`),
    indexes: await read(`
      select i.indexrelid::regclass::text as key, t.table, indisunique as "isUnique"
      from t join pg_index i on i.indrelid = t.oid`),
    constraints: await read(`
      select c.oid::text as key, t.table, conname as name, convalidated as "isValid"
      from t join pg_constraint c on conrelid = t.oid where contype in ('c', 'f', 'x')`),
  };
}

/** The storage file of each table that is not partitioned. `truncate` and a rewrite give a table a new file. */
async function readFiles(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ table: string; file: string }>(
    `select t.table, pg_relation_filenode(t.oid)::text as file from (${ownTables}) t where t.kind = 'r'`,
  );
  return new Map(rows.map(({ table, file }) => [table, file]));
}

/** Tables whose rows this transaction inserts, updates or deletes: it has their row lock (ROW EXCLUSIVE). */
async function readChangedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct t.table from pg_locks l join (${ownTables}) t on t.oid = l.relation
     where l.pid = pg_backend_pid() and l.mode = 'RowExclusiveLock'`,
  );
  return rows.map(({ table }) => table);
}

/** Keeps the tables that are written again, and the columns for which "not null" needs no scan. */
async function listenToChanges(client: pg.Client): Promise<{ rewrites: Problem[]; proven: Set<string> }> {
  const rewrites: Problem[] = [];
  const proven = new Set<string>();
  client.on('notice', ({ message = '' }) => {
    const [, table] = /^rewrite (.*)$/.exec(message) ?? [];
    const [, column] = /^existing constraints on column "(.*)" are sufficient/.exec(message) ?? [];
    // `table.column`, without the schema.
    if (column !== undefined) proven.add(column);
    if (table === undefined) return;
    const problem =
      `writes all rows of ${table} again and all calls wait (a new type, or a default that differs between rows). Add a ` +
      'column that is null, and write a step "backfill".';
    rewrites.push({ table, problem });
  });
  // Postgres calls event triggers before it writes a table again.
  await client.query(`
    create or replace function public.note_rewrite() returns event_trigger language plpgsql as $$
      begin
        raise notice 'rewrite %', (
          select nspname || '.' || relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.oid = pg_event_trigger_table_rewrite_oid());
      end
    $$;
    drop event trigger if exists note_rewrite;
    create event trigger note_rewrite on table_rewrite execute function public.note_rewrite();
    set client_min_messages = debug1`);
  return { rewrites, proven };
}

// Runs the steps of a migration. `public.migration_progress` has a row for each migration that has begun and not ended: the number of
// its steps that are done, and the last row of its backfill. An interrupted migration goes on from there.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { buildIndex } from './build-index.ts';
import type { MigrationSession } from './migration-session.ts';
import { stepsOf, type Backfill, type MigrationEntry, type MigrationStep } from './migration.ts';

/** Makes the tables that record migrations. */
export async function prepareRecords({ client, change }: MigrationSession): Promise<void> {
  const { rows } = await client.query(
    `select to_regclass('public.migration_progress') is not null as exists`,
  );
  if (rows[0].exists) return;
  await change('The record of migrations', [
    `create table if not exists public.migration (
       id serial primary key,
       name varchar(255),
       executed_at timestamptz default current_timestamp
     )`,
    'alter table public.migration add column if not exists compatible_from text null',
    `create table public.migration_progress (
       name text not null,
       steps_done integer not null,
       last_key text[] null,
       constraint migration_progress_pkey primary key (name)
     )`,
  ]);
}

export async function runMigration(session: MigrationSession, entry: MigrationEntry): Promise<void> {
  const steps = stepsOf(entry);
  const { rows } = await session.client.query<{ steps_done: number }>(
    'select steps_done from public.migration_progress where name = $1',
    [entry.name],
  );
  const stepsDone = rows[0]?.steps_done ?? 0;
  if (steps.length > 1) session.report(`${entry.name}: ${stepsDone} of ${steps.length} steps are done`);
  for (let number = stepsDone; number < steps.length; number += 1) {
    const isLast = number === steps.length - 1;
    await runStep(session, steps[number]!, {
      name: entry.name,
      number: number + 1,
      after: isLast ? recordMigration(entry) : recordSteps(entry.name, number + 1),
    });
  }
}

export interface StepPlace {
  /** Of the migration. */
  name: string;
  /** From 1 on. */
  number: number;
  /** Statements that record the end of the step. */
  after: readonly string[];
}

export async function runStep(
  session: MigrationSession,
  step: MigrationStep,
  place: StepPlace,
): Promise<void> {
  const what = `Step ${place.number} of ${place.name}`;
  if ('sql' in step) return session.change(what, [step.sql, ...place.after]);
  if ('index' in step) await buildIndex(session, step.index);
  if ('constraint' in step) {
    const { table, name, definition } = step.constraint;
    await session.change(what, [
      `alter table ${table} drop constraint if exists ${name}, add constraint ${name} ${definition} not valid`,
    ]);
    await session.untilFree(what, () =>
      session.takeTime(what, `alter table ${table} validate constraint ${name}`),
    );
  }
  if ('backfill' in step) await fillBatches(session, step.backfill, place);
  await session.change(what, place.after);
}

const recordSteps = (name: string, stepsDone: number): string[] => [
  `insert into public.migration_progress (name, steps_done) values (${pg.escapeLiteral(name)}, ${stepsDone})
   on conflict (name) do update set steps_done = excluded.steps_done, last_key = null`,
];

const recordMigration = ({ name, compatibleFrom }: MigrationEntry): string[] => [
  `delete from public.migration_progress where name = ${pg.escapeLiteral(name)}`,
  `insert into public.migration (name, compatible_from)
   values (${pg.escapeLiteral(name)}, ${compatibleFrom === undefined ? 'null' : pg.escapeLiteral(compatibleFrom)})`,
];

const rowsUsual = 1000;
const reportEveryMs = 10_000;

/** Changes the rows in batches. A batch and its place are one statement, and so one transaction. */
async function fillBatches(session: MigrationSession, backfill: Backfill, place: StepPlace): Promise<void> {
  const { table, change, rowsMax = rowsUsual } = backfill;
  const key = await primaryKey(session, table);
  const columns = key.map(({ column }) => column).join(', ');
  const descending = key.map(({ column }) => `${column} desc`).join(', ');
  const lastKey = key.map(({ type }, index) => `($1::text[])[${index + 1}]::${type}`).join(', ');
  const statement = (isFirst: boolean): string => `
    with batch as materialized (
      select ${columns} from ${table}
      ${isFirst ? 'where $1::text[] is null' : `where (${columns}) > (${lastKey})`}
      order by ${columns} limit ${rowsMax}
    ), changed as (
      ${change}
    ), last as (
      select array[${key.map(({ column }) => `${column}::text`).join(', ')}] as key
      from batch order by ${descending} limit 1
    ), recorded as (
      insert into public.migration_progress (name, steps_done, last_key) select $2, $3, key from last
      on conflict (name) do update set last_key = excluded.last_key
    )
    select key, (select count(*) from batch)::int as rows from last`;

  const what = `The backfill of ${table}`;
  let lastKeyDone = await readLastKey(session, place.name);
  let rowsDone = 0;
  let reportedAtMs = performance.now();
  for (;;) {
    const startedAtMs = performance.now();
    const [batch] = await session.changeRows<{ key: string[]; rows: number }>(
      what,
      statement(lastKeyDone === null),
      [lastKeyDone, place.name, place.number - 1],
    );
    if (batch === undefined) break;
    lastKeyDone = batch.key;
    rowsDone += batch.rows;
    if (performance.now() - reportedAtMs > reportEveryMs) {
      reportedAtMs = performance.now();
      session.report(`${what}: ${rowsDone.toLocaleString('en')} rows in this run`);
    }
    // At most half of the time of one connection, so that calls and replicas keep up.
    await delay(performance.now() - startedAtMs);
  }
  session.report(`${what}: done, ${rowsDone.toLocaleString('en')} rows in this run`);
}

async function primaryKey(
  { client }: MigrationSession,
  table: string,
): Promise<{ column: string; type: string }[]> {
  const { rows } = await client.query<{ column: string; type: string }>(
    `select quote_ident(attname) as column, format_type(atttypid, atttypmod) as type
     from pg_index cross join unnest(indkey::int2[]) with ordinality as part (number, place)
     join pg_attribute on attrelid = indrelid and attnum = part.number
     where indrelid = $1::regclass and indisprimary order by place`,
    [table],
  );
  return rows;
}

async function readLastKey({ client }: MigrationSession, name: string): Promise<string[] | null> {
  const { rows } = await client.query<{ last_key: string[] | null }>(
    'select last_key from public.migration_progress where name = $1',
    [name],
  );
  return rows[0]?.last_key ?? null;
}

// Each rule of the linter, with the statement that it refuses and the way to do it.
import type { MigrationEntry } from '@service/database';
import { cloneTemplate, lintMigration } from '@service/database/testing';
import pg from 'pg';
import { expect, inject, test } from 'vitest';

type Steps = NonNullable<MigrationEntry['steps']>;

const former = '299901010000-create-notes';

/** The problems of a migration of a database with notes and, in partitions, entries. */
async function lint(steps: Steps, rest: { compatibleFrom?: string } = { compatibleFrom: former }) {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      create schema log;
      create table log.note (id int primary key, text text null, size int not null default 0);
      create unique index note_text_index on log.note (text);
      create table log.entry (id int primary key, note_id int null) partition by range (id);
      create table log.entry_default partition of log.entry default`);
    const migration = { name: '299901020000-change-notes', steps, ...rest };
    return await lintMigration({ url, migration, earlier: [former] });
  } finally {
    await client.end();
    await drop();
  }
}

test.for<[kind: string, refused: Steps, problem: RegExp, instead: Steps]>([
  [
    'an index that stops writers',
    [{ sql: 'create index note_size_index on log.note (size)' }],
    /^Step 1 builds the index log.note_size_index of log.note .* Write a step "index"/,
    [{ index: { table: 'log.entry', name: 'entry_note_index', on: '(note_id)' } }],
  ],
  [
    'a column with a default that differs between rows',
    [{ sql: 'alter table log.note add column made_at timestamptz not null default clock_timestamp()' }],
    /^Step 1 writes all rows of log.note again/,
    [{ sql: 'alter table log.note add column made_at timestamptz not null default now()' }],
  ],
  [
    'a new type of a column',
    [{ sql: 'alter table log.note alter column size type bigint' }],
    /^Step 1 writes all rows of log.note again/,
    [
      { sql: 'alter table log.note add column bytes bigint null' },
      {
        backfill: {
          table: 'log.note',
          change: 'update log.note n set bytes = size from batch where n.id = batch.id',
        },
      },
    ],
  ],
  [
    'a constraint that is compared with the rows at once',
    [{ sql: 'alter table log.note add constraint note_size_check check (size >= 0)' }],
    /^Step 1 compares all rows of log.note with the constraint note_size_check/,
    [{ constraint: { table: 'log.note', name: 'note_size_check', definition: 'check (size >= 0)' } }],
  ],
  [
    'a foreign key that is compared with the rows at once',
    [{ sql: 'alter table log.note add constraint note_of foreign key (size) references log.note (id)' }],
    /^Step 1 compares all rows of log.note with the constraint note_of/,
    [
      {
        constraint: {
          table: 'log.note',
          name: 'note_of',
          definition: 'foreign key (size) references log.note (id)',
        },
      },
    ],
  ],
  [
    'not null without a proof',
    [{ sql: 'alter table log.note alter column text set not null' }],
    /^Step 1 reads all rows of log.note for "not null" of text .* check \(text is not null\)/,
    [
      { constraint: { table: 'log.note', name: 'note_text', definition: 'check (text is not null)' } },
      {
        sql: 'alter table log.note alter column text set not null; alter table log.note drop constraint note_text',
      },
    ],
  ],
  [
    'rows that are changed in one transaction',
    [{ sql: 'update log.note set size = 1' }],
    /^Step 1 changes rows of log.note in one transaction/,
    [{ sql: 'create table log.total (size int); insert into log.total select sum(size) from log.note' }],
  ],
  [
    'truncate',
    [{ sql: 'truncate log.entry' }],
    /^Step 1 empties log.entry_default with truncate/,
    [
      {
        backfill: {
          table: 'log.entry',
          change: 'delete from log.entry e using batch b where e.id = b.id',
        },
      },
    ],
  ],
])('%s is refused', async ([, refused, problem, instead]) => {
  expect(await lint(refused)).toEqual([expect.stringMatching(problem)]);
  expect(await lint(instead)).toEqual([]);
});

test('a migration names the oldest version beside it, unless it takes away what older versions use', async () => {
  const addition: Steps = [{ sql: 'alter table log.note add column more text null' }];
  expect(await lint(addition, {})).toEqual([expect.stringMatching(/^compatibleFrom is missing/)]);
  expect(await lint(addition, { compatibleFrom: '299901030000-later' })).toEqual([
    'compatibleFrom names no earlier migration: 299901030000-later',
  ]);
  for (const sql of [
    'drop table log.note',
    'alter table log.note drop column text',
    'alter table log.note rename column text to words',
    'alter table log.note add column kind text not null default 1; alter table log.note alter column kind drop default',
    'drop index log.note_text_index',
  ])
    expect(await lint([{ sql }], {}), sql).toEqual([]);
});

test('a linted migration has every problem of all its steps, and none of tables that it creates', async () => {
  const create =
    'create table log.tag (id int); create index on log.tag (id); insert into log.tag values (1)';
  const problems = await lint([
    { sql: create },
    { sql: 'create index on log.note (size); alter table log.note alter column size type bigint' },
  ]);
  expect(problems.map((problem) => problem.slice(0, 12)).toSorted()).toEqual([
    'Step 2 build',
    'Step 2 write',
  ]);
});

// A migration of large tables under load, while a reader has locked one of them.
import { serviceMigrations, servicePartitionedTables } from '@service/composition';
import { ensurePartitions, migrateDatabase, startOfPeriod, type MigrationEntry } from '@service/database';
import { Pool } from 'pg';
import { lockRows } from '../support/lock-rows.ts';
import { check } from './drill.ts';
import { healthyDrill } from './healthy-drill.ts';
import { countStatuses, seconds } from './judge.ts';

const rowsUsual = 100_000;
const waitMaxMs = 1000;
const dayMs = 86_400_000;
/** The further rows are in partitions of the first days of the former month, so that they can be dropped with them. */
const days = 5;

export const migrate = healthyDrill({
  name: 'migrate',
  summary:
    `Each partitioned table in use gets ${rowsUsual.toLocaleString('en')} further rows (--rows). Under load, and while a reader has locked the deliveries, a migration ` +
    'adds a column, a check and an index to each of these tables and fills the column of the deliveries. It ends, no call is refused, none takes longer than a ' +
    'second, API and workers stay ready, and nothing is lost.',
  seconds: 30,
  eventsPerSecond: 50,
  settleMs: 5000,
  async makeTrouble({ world, api, workers, traffic, say, seconds: readerSeconds, rows = rowsUsual }) {
    const pool = new Pool({ connectionString: world.databaseUrl, max: 3, application_name: 'drill' });
    try {
      const tables = await fillTables(pool, rows, say);
      const migration = migrationOf(tables);
      const from = Date.now();
      const reader = await lockRows(pool, 'select from deliveries.delivery limit 1', []);
      const released = setTimeout(() => void reader.release(), readerSeconds * 1000);
      const ready: boolean[] = [];
      const probing = setInterval(() => {
        for (const { origin } of [api, ...workers])
          void fetch(`${origin}/readyz`).then(
            ({ ok }) => ready.push(ok),
            () => ready.push(false),
          );
      }, 1000);
      const applied = await migrateDatabase({
        url: world.databaseUrl,
        migrations: [...serviceMigrations, migration],
        report: say,
      });
      clearTimeout(released);
      clearInterval(probing);
      await reader.release();
      const endedAt = Date.now();
      for (const { table, partitions } of tables)
        for (const partition of partitions)
          await pool.query(`drop table ${table.split('.')[0]}.${partition}`);
      return {
        endedAt,
        checks: () => {
          const answers = traffic
            .flatMap((one) => one.answers)
            .filter(({ at, durationMs }) => at + durationMs >= from && at <= endedAt);
          const refused = answers.filter(({ acknowledged }) => !acknowledged);
          const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
          return [
            check(
              'the migration ends',
              applied.length === 1,
              `${applied.length} applied in ${seconds(endedAt - from)}`,
            ),
            check(
              'no call is refused',
              refused.length === 0,
              countStatuses(refused) || `${answers.length} answered`,
            ),
            check(
              `no call takes longer than ${seconds(waitMaxMs)}`,
              slowestMs <= waitMaxMs,
              seconds(slowestMs),
            ),
            check('API and workers stay ready', !ready.includes(false), `${ready.length} probes`),
          ];
        },
        figures: {
          tables: tables.length,
          'rows of each': rows,
          'seconds of the migration': (endedAt - from) / 1000,
        },
      };
    } finally {
      await pool.end();
    }
  },
});

interface FilledTable {
  /** With its schema. */
  table: string;
  key: string;
  /** The partitions of its further rows. */
  partitions: string[];
}

/** Copies a row of each partitioned table that has one, with other ids. */
async function fillTables(pool: Pool, rows: number, say: (doing: string) => void): Promise<FilledTable[]> {
  const first = startOfPeriod('month', new Date(), -1);
  await ensurePartitions(pool, servicePartitionedTables, { now: first, daysAhead: days, monthsAhead: 0 });
  const filled: FilledTable[] = [];
  for (const { schema, table } of servicePartitionedTables) {
    const name = `${schema}.${table}`;
    const { rows: columns } = await pool.query<{ name: string; isKey: boolean }>(
      `select quote_ident(a.attname) as name, a.attnum = p.partattrs[0] as "isKey"
       from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = ''
       where p.partrelid = $1::regclass order by a.attnum`,
      [name],
    );
    const key = columns.find(({ isKey }) => isKey)!.name;
    say(`further rows of ${name}`);
    const { rowCount } = await pool.query(
      `with former as materialized (select * from ${name} limit 1)
       insert into ${name} (${columns.map((column) => column.name).join(', ')})
       select ${columns.map((column) => (column.isKey ? 'ids.id' : `former.${column.name}`)).join(', ')}
       from former cross join (
         select (lpad(to_hex($1::bigint + number * ${days} * ${dayMs}::bigint / $2::int), 12, '0') || '7' || left(md5(number::text), 3)
           || '8' || substr(md5(number::text), 4, 15))::uuid as id
         from generate_series(0, $2::int - 1) number
       ) ids`,
      [first.getTime(), rows],
    );
    if (rowCount === 0) continue;
    const { rows: partitions } = await pool.query<{ name: string }>(
      `select distinct tableoid::regclass::text as name from ${name} where ${key} < $1`,
      [idBefore(first.getTime() + days * dayMs)],
    );
    filled.push({ table: name, key, partitions: partitions.map((one) => one.name.split('.')[1]!) });
  }
  return filled;
}

const idBefore = (timeMs: number): string =>
  `${timeMs.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-000000000000`;

/** A later migration that this version may run beside. */
function migrationOf(tables: readonly FilledTable[]): MigrationEntry {
  const steps = tables.flatMap(({ table, key }) => {
    const bare = table.split('.')[1]!;
    return [
      { sql: `alter table ${table} add column drill_note text null` },
      { constraint: { table, name: `${bare}_drill_check`, definition: `check (drill_note <> '')` } },
      { index: { table, name: `${bare}_drill_index`, on: `(account_id, ${key}) where drill_note is null` } },
    ];
  });
  return {
    name: '299901010000-fill-drill-notes',
    compatibleFrom: serviceMigrations
      .map(({ name }) => name)
      .toSorted()
      .at(-1)!,
    steps: [
      { sql: 'create table deliveries.drill (id int primary key)' },
      ...steps,
      {
        backfill: {
          table: 'deliveries.delivery',
          change: `update deliveries.delivery d set drill_note = d.event_type from batch b where (d.id, d.account_id) = (b.id, b.account_id)`,
        },
      },
    ],
  };
}

// Builds an index while its table is written. Postgres cannot do that for a partitioned table at once: the index of each partition is
// built alone and then attached (https://www.postgresql.org/docs/current/ddl-partitioning.html).
import type { MigrationSession } from './migration-session.ts';
import type { NewIndex } from './migration.ts';

/** An index that exists is kept. One that an interrupted build left is built again. */
export async function buildIndex(session: MigrationSession, index: NewIndex): Promise<void> {
  const { client } = session;
  const [schema, table] = index.table.split('.') as [string, string];
  const { rows } = await client.query<{ kind: string }>(
    'select relkind as kind from pg_class where oid = $1::regclass',
    [index.table],
  );
  if (rows[0]!.kind !== 'p') return buildOnTable(session, index);

  // Partitions that are made from now on have it at once.
  await session.change(`The index ${index.name}`, [createIndex({ ...index, table: `only ${index.table}` })]);
  const partitions = await partitionsWithoutIndex(session, index);
  for (const [number, partition] of partitions.entries()) {
    const name = indexOfPartition(index.name, table, partition);
    await buildOnTable(session, { ...index, table: `${schema}.${partition}`, name });
    await session.change(`The index ${name}`, [
      `alter index ${schema}.${index.name} attach partition ${schema}.${name}`,
    ]);
    session.report(`${index.name}: ${number + 1} of ${partitions.length} partitions`);
  }
}

async function buildOnTable(session: MigrationSession, index: NewIndex): Promise<void> {
  const { client } = session;
  const what = `The index ${index.name}`;
  const name = `${index.table.split('.')[0]}.${index.name}`;
  await session.untilFree(what, async () => {
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [name],
    );
    if (rows[0]?.valid) return true;
    if (rows[0]) await session.change(what, [`drop index ${name}`]);
    return session.takeTime(what, createIndex(index, 'concurrently'));
  });
}

const createIndex = ({ table, name, isUnique, on }: NewIndex, mode: 'concurrently' | '' = ''): string =>
  `create ${isUnique ? 'unique ' : ''}index ${mode || 'if not exists'} ${name} on ${table} ${on}`;

/** The names of the partitions that have no part of the index yet. */
async function partitionsWithoutIndex({ client }: MigrationSession, index: NewIndex): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits p join pg_class c on c.oid = p.inhrelid
     where p.inhparent = $1::regclass and not exists (
       select from pg_inherits part join pg_index i on i.indexrelid = part.inhrelid
       where part.inhparent = $2::regclass and i.indrelid = c.oid)
     order by 1`,
    [index.table, `${index.table.split('.')[0]}.${index.name}`],
  );
  return rows.map(({ name }) => name);
}

/** `delivery_ended_index` of `delivery` is `delivery_20261126_ended_index` in the partition of this day. */
function indexOfPartition(index: string, table: string, partition: string): string {
  const name = `${partition}_${index.startsWith(`${table}_`) ? index.slice(table.length + 1) : index}`;
  // Postgres would cut it, and two partitions could have the same name.
  if (name.length > 63) throw new Error(`The name ${index} is too long: ${name} has more than 63 characters`);
  return name;
}

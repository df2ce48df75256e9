// Rows of many accounts arrive in turns. An index that begins with the account has its pages split in the middle for them, and they stay
// 58 to 66 % full. A partition whose time is over gets hardly any rows, so its indexes are built again once, with full pages.
import type pg from 'pg';
import { isCancelled } from './pg-error.ts';
import { dayMs, startOfPartition, startOfPeriod, type PartitionedTable } from './partition.ts';

interface RebuildOptions {
  now: Date;
  /** Smaller indexes are left; 64 MB. */
  bytesMin?: number;
  /** The longest time for one index; 10 minutes. One that takes longer is left as it is. */
  indexMaxMs?: number;
  /** Ends the work. Postgres goes on with the index that it is building. */
  signal: AbortSignal;
}

/** The last retry of a delivery adds an attempt three days after it. */
const quietDays = 4;

/** More statements than this are load. The next round tries again. */
const activeMax = 8;

/** A fixed number. One process at a time builds indexes. */
const rebuildLock = 7_216_340_553;

const mark = 'Built again with full pages';
const markOfLeft = 'Left as it is: to build it again took too long';

/**
 * Builds the indexes of one partition again, beside its readers and writers: those of the newest partition that was not done. Does
 * nothing while Postgres is busy or another process does it. Returns the names of the indexes.
 */
export async function rebuildIndexes(
  pool: pg.Pool,
  tables: readonly PartitionedTable[],
  { now, bytesMin = 64 * 1024 ** 2, indexMaxMs = 600_000, signal }: RebuildOptions,
): Promise<string[]> {
  const client = await pool.connect();
  const rebuilt: string[] = [];
  const disconnect = (): void => void client.connection.stream.destroy();
  signal.addEventListener('abort', disconnect);
  try {
    const { rows: states } = await client.query<{ is_free: boolean; active: number }>(
      `select pg_try_advisory_lock($1) as is_free,
         (select count(*)::int from pg_stat_activity where state = 'active' and datname = current_database()) as active`,
      [rebuildLock],
    );
    if (!states[0]!.is_free || states[0]!.active > activeMax) return [];
    await client.query(`set statement_timeout = ${indexMaxMs}`);
    await dropLeftovers(client, tables);
    for (const index of await findIndexes(client, tables, { now, bytesMin })) {
      if (signal.aborted) break;
      await client.query(`alter index ${index} set (fillfactor = 100)`);
      const isBuilt = await buildAgain(client, index);
      await client.query(`comment on index ${index} is '${isBuilt ? mark : markOfLeft}'`);
      if (isBuilt) rebuilt.push(index);
    }
    return rebuilt;
  } catch (error) {
    if (signal.aborted) return rebuilt;
    throw error;
  } finally {
    // Closed because its timeout was changed. Postgres frees the lock of a closed connection only a moment later.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    signal.removeEventListener('abort', disconnect);
    client.release(true);
  }
}

/** False when it took too long. */
async function buildAgain(client: pg.ClientBase, index: string): Promise<boolean> {
  try {
    await client.query(`reindex index concurrently ${index}`);
    return true;
  } catch (error) {
    if (isCancelled(error)) return false;
    throw error;
  }
}

const namesOf = (tables: readonly PartitionedTable[]): string[] =>
  tables.map(({ schema, table }) => `${schema}.${table}`);

/** An index that was being built when its process ended stays, and is not used. */
async function dropLeftovers(client: pg.ClientBase, tables: readonly PartitionedTable[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name
     from pg_inherits p join pg_index i on i.indrelid = p.inhrelid join pg_class c on c.oid = i.indexrelid
     where p.inhparent = any($1::regclass[]) and not i.indisvalid and c.relname ~ '_cc(new|old)[0-9]*$'`,
    [namesOf(tables)],
  );
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
}

async function findIndexes(
  client: pg.ClientBase,
  tables: readonly PartitionedTable[],
  { now, bytesMin }: Pick<Required<RebuildOptions>, 'now' | 'bytesMin'>,
): Promise<string[]> {
  const { rows } = await client.query<{ table: number; partition: string; name: string }>(
    `select p.place::int - 1 as table, c.relname as partition, i.indexrelid::regclass::text as name
     from unnest($1::regclass[]) with ordinality as p (id, place)
     join pg_inherits part on part.inhparent = p.id
     join pg_class c on c.oid = part.inhrelid and c.relname not like '%default'
     join pg_index i on i.indrelid = c.oid and i.indisvalid
     where pg_relation_size(i.indexrelid) >= $2 and coalesce(obj_description(i.indexrelid, 'pg_class'), '') <> all($3::text[])`,
    [namesOf(tables), bytesMin, [mark, markOfLeft]],
  );
  const found = rows.flatMap(({ table: place, partition, name }) => {
    const table = tables[place]!;
    const start = startOfPartition(table, partition);
    const end = startOfPeriod(table.period, start, 1);
    return end.getTime() + quietDays * dayMs <= now.getTime() ? [{ name, partition, start }] : [];
  });
  const [newest] = found.toSorted((a, b) => b.start.getTime() - a.start.getTime());
  return found.filter(({ partition }) => partition === newest?.partition).map(({ name }) => name);
}

import type pg from 'pg';
import type { KnownTable } from './account-bindings.ts';

/** Tables of better-auth name the account in another column. */
const otherAccountColumns: Record<string, string> = {
  'accounts.organization': 'id',
  'accounts.member': 'organizationId',
  'accounts.invitation': 'organizationId',
};

export type TableEntries = [name: string, table: KnownTable][];

/** All tables of a database, with the column that has the account. */
export async function readTables(client: Pick<pg.ClientBase, 'query'>): Promise<TableEntries> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)' and a.attnum > 0 and not a.attisdropped
     group by 1`,
  );
  return rows.map(({ name, columns }) => [
    name,
    {
      columns,
      accountColumn: otherAccountColumns[name] ?? columns.find((column) => column === 'account_id'),
    },
  ]);
}

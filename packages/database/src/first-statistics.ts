/** The share of the rows of one account in a new table, as Postgres shall expect it: one in this number. */
const accountsOfNewTable = 5;

/**
 * SQL that gives tables without statistics a first one, until their first analyze: few accounts. Left alone, Postgres expects 200
 * different values in each column, so it expects one row of an account and takes any index that begins with the account for as
 * good as the primary key. Each connection keeps such a plan while the table grows. `table` is one new table; by default all
 * tables of accounts. Before PostgreSQL 18, which can take statistics, it does nothing.
 */
export const giveFirstStatistics = (table?: string): string => `
  do $$
  declare
    given record;
  begin
    if current_setting('server_version_num')::int < 180000 then
      return;
    end if;
    for given in
      select n.nspname::text as schema, c.relname::text as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and a.attname = 'account_id' and n.nspname !~ '^pg_'
        ${table === undefined ? '' : `and c.oid = '${table}'::regclass`}
        and not exists (
          select from pg_stats s where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname)
    loop
      perform pg_restore_attribute_stats(
        'schemaname', given.schema, 'relname', given.name, 'attname', 'account_id', 'inherited', false,
        'null_frac', 0::real, 'avg_width', 16, 'n_distinct', ${accountsOfNewTable}::real);
    end loop;
  end
  $$`;

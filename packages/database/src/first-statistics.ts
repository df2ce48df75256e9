/**
 * Postgres expects the rows of a new table to belong to this number of accounts. With 12, it would rather read all rows of an
 * account than look up ten keys.
 */
const accountsOfNewTable = 5;

/**
 * SQL that gives tables without statistics the first ones, which the first analyze replaces. Without any, Postgres expects 200
 * different values in each column, so only one row of each account. Then an index that begins with the account looks as good as
 * the primary key, and each connection keeps such a plan of a named statement while the table grows. `table` is a new table, with
 * its schema. By default all tables with accounts are meant. Before PostgreSQL 18, which can take statistics, this does nothing.
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

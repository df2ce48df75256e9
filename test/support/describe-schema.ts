import type pg from 'pg';

/**
 * The catalogue of the schemas of modules, one line for each thing in it: every table, column (with its place), constraint, index,
 * trigger, function, rule and comment, with all that was declared about it. Left out are partitions of a day or month, and the
 * names that Postgres gives to constraints of not null, because a renamed table keeps the former ones.
 */
export async function describeSchemas(pool: pg.Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ schema: string; line: string }>(catalogue);
  const names = [...new Set(rows.map(({ schema }) => schema))].toSorted();
  return new Map(
    names.map((name) => [
      name,
      rows
        .filter(({ schema }) => schema === name)
        .map(({ line }) => line)
        .toSorted(),
    ]),
  );
}

const catalogue = `
  with named as (
    select oid, nspname as schema, nspacl as acl from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'graphile_worker', 'jobs')
  ), relation as (
    select n.schema, c.* from pg_class c join named n on n.oid = c.relnamespace where c.relname !~ '_[0-9]{6,8}(_|$)'
  )
  select schema, concat_ws(' ', 'schema', acl) as line from named
  union all
  select schema, concat_ws(' ', 'relation', relname, relkind, relpersistence, relreplident, relrowsecurity, relforcerowsecurity,
    reloptions, relacl, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid),
    'of ' || (select inhparent::regclass from pg_inherits where inhrelid = relation.oid))
  from relation where relkind not in ('i', 'I')
  union all
  select schema, concat_ws(' ', 'column', relname, row_number() over (partition by r.oid order by attnum), attname,
    format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid),
    attidentity, attgenerated, attstorage, attcompression, nullif(attcollation, 0)::regcollation, attstattarget, attoptions, attacl)
  from relation r join pg_attribute a on attrelid = r.oid and attnum > 0 and not attisdropped
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind not in ('i', 'I')
  union all
  select n.schema, concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid), convalidated, conislocal, coninhcount)
  from pg_constraint c join named n on n.oid = connamespace left join relation r on r.oid = conrelid
  where contype <> 'n' and (conrelid = 0 or r.oid is not null)
  union all
  select schema, concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisprimary, indisvalid, indisclustered, indisreplident,
    'of ' || (select inhparent::regclass from pg_inherits where inhrelid = r.oid))
  from relation r join pg_index on indexrelid = r.oid
  union all
  select schema, concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled)
  from relation r join pg_trigger t on tgrelid = r.oid where not tgisinternal
  union all
  select schema, concat_ws(' ', 'rule', pg_get_ruledef(w.oid)) from relation r join pg_rewrite w on ev_class = r.oid
  union all
  select schema, concat_ws(' ', 'policy', relname, p.*) from relation r join pg_policy p on polrelid = r.oid
  union all
  select schema, concat_ws(' ', 'function', pg_get_functiondef(p.oid), proacl) from pg_proc p join named n on n.oid = pronamespace
  union all
  select schema, concat_ws(' ', 'type', typname, typtype, typacl)
  from pg_type t join named n on n.oid = typnamespace where typrelid = 0 and typelem = 0
  union all
  select schema, concat_ws(' ', 'statistics', pg_get_statisticsobjdef(e.oid))
  from pg_statistic_ext e join named n on n.oid = stxnamespace
  union all
  select schema, concat_ws(' ', 'comment', relname, objsubid, description)
  from relation r join pg_description d on objoid = r.oid and classoid = 'pg_class'::regclass`;

import { column } from './row.ts';

/** About the largest size of a page of a list, in bytes. A larger first row is still shown. */
export const pageBytesMax = 128 * 1024;

/** The columns that `withinBytes` adds to those of the list. */
export const withinBytesColumns = { found: column.integer, is_within: column.boolean };

/**
 * SQL of the first rows of a list, up to the bytes of a page. `found` is the number of rows of `select`. A row of some lists may have
 * hundreds of kilobytes, so the others are not even read.
 *
 * @param select The rows of a page, with a limit.
 * @param wide The columns that may be large.
 * @param orderBy The order of the list.
 */
export const withinBytes = (
  select: string,
  { wide, orderBy }: { wide: readonly string[]; orderBy: string },
): string => `
  select * from (
    select list.*, (count(*) over ())::integer as found,
      row_number() over page = 1
        or sum(${wide.map(bytesOf).join(' + ')}) over page <= ${pageBytesMax} as is_within
    from (${select}) list
    window page as (order by ${orderBy} rows unbounded preceding)
  ) list where is_within
  order by ${orderBy}`;

// Most values are so short that Postgres stores them as they are. Counting the text of all takes a tenth of the statement.
const bytesOf = (name: string): string => `
  case when pg_column_compression(list.${name}) is null then coalesce(pg_column_size(list.${name}), 0)
    else octet_length(list.${name}::text) end`;

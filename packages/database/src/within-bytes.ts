import { column } from './row.ts';

/** The bytes that a page of a list may have, about. Its first row is shown whatever its size. */
export const pageBytesMax = 128 * 1024;

/** The columns that `withinBytes` adds to those of the list. */
export const withinBytesColumns = { found: column.integer, bytes_before: column.integer };

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
      coalesce(sum(${wide.map((name) => `coalesce(octet_length(list.${name}::text), 0)`).join(' + ')})
        over (order by ${orderBy} rows between unbounded preceding and 1 preceding), 0)::integer as bytes_before
    from (${select}) list
  ) list where bytes_before <= ${pageBytesMax}
  order by ${orderBy}`;

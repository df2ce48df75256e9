import {
  type AccountReader,
  column,
  nullable,
  type RowsOf,
  statement,
  withinBytes,
  withinBytesColumns,
} from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import type { webinarStatuses } from '../entities/enums.ts';
import { type Webinar, webinarRow } from '../entities/webinar.ts';
import { keyset, type Sorting } from '../keyset.ts';
import { shownStatuses } from '../webinar/find-webinar.ts';
import {
  type FindWebinarsInput,
  type ListArchivedWebinarsInput,
  type ListWebinarsInput,
  webinarToOutput,
} from './schemas.ts';

// $1 account, $2 statuses, $3 kind or null, $4 pattern or null, $5 the webinar to start after or null, $6 now, $7 how many.
const selectPage = (name: string, sorting: Sorting) => {
  const keys = { table: 'webinars.webinar', cursor: '$5', ...sorting };
  const { after, orderBy } = keyset({ ...keys, alias: 'w' });
  const page = `
    select * from webinars.webinar w
    where account_id = $1 and status = any($2)
      and ($3::text is null or kind = $3)
      and ($4::text is null or title ilike $4 or public_title ilike $4)
      and ${after}
    order by ${orderBy} limit $7`;
  const wide = ['description', 'video', 'schedule', 'registration_form'];
  return statement({
    name,
    text: `
      select w.*, next.id as next_id, next.starts_at as next_starts_at, next.ends_at as next_ends_at,
        next.registered_count as next_registered_count
      from (${withinBytes(page, { wide, orderBy: keyset({ ...keys, alias: 'list' }).orderBy })}) w
      left join lateral (
        select id, starts_at, ends_at, registered_count from webinars.session
        where account_id = $1 and webinar_id = w.id
          and kind = 'scheduled' and status = 'scheduled' and starts_at > $6
        order by starts_at limit 1
      ) next on true
      order by ${orderBy}`,
    row: {
      ...webinarRow.columns,
      ...withinBytesColumns,
      next_id: nullable(column.id),
      next_starts_at: nullable(column.time),
      next_ends_at: nullable(column.time),
      next_registered_count: nullable(column.integer),
    },
  });
};

/** webinar_title_index has this expression. */
const title = (row: string) => `lower(${row}.title)`;

const pages = {
  createdAt: {
    asc: selectPage('webinars.select_page_oldest_first', { order: 'asc' }),
    desc: selectPage('webinars.select_page', { order: 'desc' }),
  },
  title: {
    asc: selectPage('webinars.select_page_by_title', { value: title, order: 'asc' }),
    desc: selectPage('webinars.select_page_by_title_descending', { value: title, order: 'desc' }),
  },
};

/** A page of the account's webinars, without archived and deleted ones. */
export const listWebinars = (reader: AccountReader, input: z.output<typeof ListWebinarsInput>) =>
  listByStatus(reader, input, { list: 'webinars', statuses: input.status ? [input.status] : shownStatuses });

/** A page of the account's archived webinars. */
export const listArchivedWebinars = (
  reader: AccountReader,
  input: z.output<typeof ListArchivedWebinarsInput>,
) => listByStatus(reader, input, { list: 'archived_webinars', statuses: ['archived'] });

async function listByStatus(
  { query, accountId, now }: AccountReader,
  { limit, cursor, ...filters }: z.output<typeof ListWebinarsInput>,
  { list, statuses }: { list: string; statuses: readonly Webinar['status'][] },
) {
  const { kind, q, sort = 'createdAt', order = sort === 'title' ? 'asc' : 'desc' } = filters;
  const scope = { list, accountId, filters };
  const after = cursorId(cursor, scope);
  const rows = await query(pages[sort][order], [
    accountId,
    statuses,
    kind ?? null,
    q === undefined ? null : containing(q),
    after ?? null,
    now,
    limit + 1,
  ]);
  return toPage(rows, {
    limit,
    scope,
    found: rows[0]?.found,
    toItem: (row) => webinarToOutput(webinarRow.toEntity(row), nextSessionOf(row)),
  });
}

function nextSessionOf({
  next_id: id,
  next_starts_at: startsAt,
  next_ends_at: endsAt,
  next_registered_count: registeredCount,
}: RowsOf<ReturnType<typeof selectPage>>) {
  if (id === null || startsAt === null || endsAt === null || registeredCount === null) return undefined;
  return { id, startsAt, endsAt, registeredCount, status: 'scheduled' } as const;
}

const selectFound = statement({
  name: 'webinars.select_found',
  text: `
    select id, title, status from webinars.webinar
    where account_id = $1 and status = any($2) and ($3::text is null or title ilike $3 or public_title ilike $3)
    order by id desc limit $4`,
  row: { id: column.id, title: column.text, status: column.textOf<(typeof webinarStatuses)[number]>() },
});

/** Webinars of the account by their title, the newest first, without archived and deleted ones. */
export const findWebinars = (
  { query, accountId }: AccountReader,
  { q, limit }: z.output<typeof FindWebinarsInput>,
): Promise<RowsOf<typeof selectFound>[]> =>
  query(selectFound, [accountId, shownStatuses, q === undefined ? null : containing(q), limit]);

/** Escapes the special characters of LIKE. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

import {
  type AccountReader,
  column,
  nullable,
  type Query,
  type RowsOf,
  statement,
  withinBytes,
  withinBytesColumns,
} from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { type Interaction, interactionRow, type Poll } from '../entities/interaction.ts';
import { findWebinar } from '../webinar/find-webinar.ts';
import type { InteractionType } from '../entities/enums.ts';
import { interactionToOutput, type ListInteractionsInput } from './schemas.ts';

const selectEnabled = statement({
  name: 'webinars.select_enabled_interactions',
  text: `
    select distinct on (i.show_at_seconds, i.id) i.*
    from unnest($2::uuid[], $3::uuid[]) as k (webinar_id, id)
    join webinars.interaction i
      on i.account_id = $1 and i.webinar_id = k.webinar_id and (k.id is null or i.id = k.id)
    where i.enabled
    order by i.show_at_seconds, i.id`,
  row: interactionRow.columns,
});

/** An interaction of a webinar, or all of the webinar when `id` is null. */
interface InteractionKey {
  webinarId: string;
  id: string | null;
}

/** The enabled interactions among those named, each once, in the order in which they are shown; one statement. */
export async function loadInteractions(
  query: Query,
  accountId: string,
  keys: readonly InteractionKey[],
): Promise<Interaction[]> {
  if (keys.length === 0) return [];
  const rows = await query(selectEnabled, [
    accountId,
    keys.map(({ webinarId }) => webinarId),
    keys.map(({ id }) => id),
  ]);
  return rows.map(interactionRow.toEntity);
}

const selectLivePolls = statement({
  name: 'webinars.select_live_polls',
  text: `
    select i.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, webinar_id)
    join webinars.interaction i using (account_id, webinar_id)
    where i.type = 'poll' and i.enabled and i.details ->> 'results' = 'live'
    order by i.show_at_seconds, i.id`,
  row: interactionRow.columns,
});

/** The enabled polls whose results are shown during the session, by the webinar's id. Each webinar is named once. */
export async function loadLivePolls(
  query: Query,
  keys: readonly { accountId: string; webinarId: string }[],
): Promise<Map<string, Interaction[]>> {
  const rows = await query(selectLivePolls, [
    keys.map(({ accountId }) => accountId),
    keys.map(({ webinarId }) => webinarId),
  ]);
  return Map.groupBy(rows.map(interactionRow.toEntity), ({ webinarId }) => webinarId);
}

const selectPage = statement({
  name: 'webinars.select_page_of_interactions',
  text: withinBytes(
    `select * from webinars.interaction
     where account_id = $1 and webinar_id = $2 and ($3::text is null or type = $3)
       and ($4::boolean is null or enabled = $4) and ($5::uuid is null or id < $5)
     order by id desc limit $6`,
    { wide: ['body', 'show_when', 'details'], orderBy: 'id desc' },
  ),
  row: { ...interactionRow.columns, ...withinBytesColumns },
});

/** A page of a webinar's interactions, newest first. Throws webinar_not_found. */
export async function listInteractions(
  reader: AccountReader,
  { webinarId, type, enabled, limit, cursor }: z.output<typeof ListInteractionsInput>,
) {
  const { accountId } = reader;
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id, ...(type && { type }), ...(enabled !== undefined && { enabled }) };
  const scope = { list: 'interactions', accountId, filters };
  const after = cursorId(cursor, scope);
  const values = [accountId, webinar.id, type ?? null, enabled ?? null, after ?? null, limit + 1];
  const rows = await reader.query(selectPage, values);
  const toItem = (row: (typeof rows)[number]) => interactionToOutput(interactionRow.toEntity(row));
  return toPage(rows, { limit, scope, found: rows[0]?.found, toItem });
}

const selectIds = statement({
  name: 'webinars.select_interaction_ids',
  text: 'select id from webinars.interaction where account_id = $1 and webinar_id = $2 order by id',
  row: { id: column.id },
});

/** The ids of all interactions of a webinar, at most 200. Throws webinar_not_found. */
export async function listInteractionIds(
  reader: Pick<AccountReader, 'query' | 'accountId'>,
  webinarId: string,
): Promise<string[]> {
  const webinar = await findWebinar(reader, webinarId);
  const rows = await reader.query(selectIds, [reader.accountId, webinar.id]);
  return rows.map(({ id }) => id);
}

const selectOutlines = statement({
  name: 'webinars.select_interaction_outlines',
  text: `
    select id, type, internal_name as "internalName", headline, show_at_seconds as "showAtSeconds",
      hide_at_seconds as "hideAtSeconds", coalesce(details -> 'options', '[]') as options
    from webinars.interaction where account_id = $1 and webinar_id = $2 order by show_at_seconds, id`,
  row: {
    id: column.id,
    type: column.textOf<InteractionType>(),
    internalName: column.text,
    headline: column.text,
    showAtSeconds: column.integer,
    hideAtSeconds: nullable(column.integer),
    options: column.json<Poll['options']>(),
  },
});

/** The names, times and options of all interactions of a webinar, at most 200, in the order of the video. */
export const outlineInteractions = (
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarId: string,
): Promise<RowsOf<typeof selectOutlines>[]> => query(selectOutlines, [accountId, webinarId]);

const selectNames = statement({
  name: 'webinars.name_interactions',
  text: `
    select id, webinar_id as "webinarId", type, internal_name as "internalName", headline
    from webinars.interaction where account_id = $1 and id = any($2::uuid[])`,
  row: {
    id: column.id,
    webinarId: column.id,
    type: column.textOf<InteractionType>(),
    internalName: column.text,
    headline: column.text,
  },
});

/** The names of interactions of any webinars, by id. Leaves out ids that do not exist or belong to another account. */
export async function nameInteractions(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ids: readonly string[],
): Promise<Map<string, RowsOf<typeof selectNames>>> {
  if (ids.length === 0) return new Map();
  const rows = await query(selectNames, [accountId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

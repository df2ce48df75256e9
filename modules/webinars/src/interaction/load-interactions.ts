import { statement, type Query } from '@service/database';
import { interactionRow, type Interaction } from '../entities/interaction.ts';

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
export interface InteractionKey {
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

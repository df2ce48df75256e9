import { column, statement, type AccountReader } from '@service/database';
import { findWebinar } from '../webinar/find-webinar.ts';

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

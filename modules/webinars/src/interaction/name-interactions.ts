import { column, statement, type AccountReader, type RowsOf } from '@service/database';
import type { InteractionType } from '../entities/enums.ts';

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

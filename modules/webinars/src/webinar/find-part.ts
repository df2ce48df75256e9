import { column, nullable, statement, type AccountQueries, type RowsOf } from '@service/database';
import type { InteractionType } from '../entities/enums.ts';

const selectPart = statement({
  name: 'webinars.select_part_of_webinar',
  text: `
    select 'interaction' as kind, type,
      coalesce(jsonb_path_query_array(details, '$.options[*].id'), '[]') as "optionIds"
    from webinars.interaction where account_id = $1 and webinar_id = $2 and id = $3
    union all
    select 'branch', null, '[]' from webinars.branch where account_id = $1 and webinar_id = $2 and id = $3
    union all
    select 'segment', null, '[]' from webinars.segment where account_id = $1 and webinar_id = $2 and id = $3`,
  row: {
    kind: column.textOf<'interaction' | 'branch' | 'segment'>(),
    /** Of an interaction. */
    type: nullable(column.textOf<InteractionType>()),
    /** Of a poll. */
    optionIds: column.json<string[]>(),
  },
});

/** The interaction, branch or segment of a webinar that has this id, also one that is switched off. */
export async function findPart(
  { query, accountId }: AccountQueries,
  { webinarId, id }: { webinarId: string; id: string },
): Promise<RowsOf<typeof selectPart> | undefined> {
  const [part] = await query(selectPart, [accountId, webinarId, id]);
  return part;
}

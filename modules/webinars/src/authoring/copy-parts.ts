// Copies the segments, interactions and branches of a webinar inside the database. They may be megabytes of conditions: through the
// ORM a copy took the thread for a second.
import { type AccountWriter, column, createId, statement } from '@service/database';
import { branchRow, segmentRow } from '../entities/segment.ts';
import { interactionRow } from '../entities/interaction.ts';

const selectIds = statement({
  name: 'webinars.select_part_ids',
  text: `
    select id from webinars.segment where account_id = $1 and webinar_id = $2
    union all select id from webinars.interaction where account_id = $1 and webinar_id = $2
    union all select id from webinars.branch where account_id = $1 and webinar_id = $2
    order by id`,
  row: { id: column.id },
});

// $1 account, $2 the original, $3 the copy, $4 now, $5 the ids of the copies by those of the originals.

/** The id of the copy of what a column names. */
const copyOf = (name: string): string => `($5::jsonb ->> original.${name}::text)::uuid`;

/** Conditions in which originals are replaced by their copies: a value is an id, a list of ids, or names an interaction. */
const renamed = (name: string): string => `(
  select coalesce(jsonb_agg(
    case jsonb_typeof(c.condition -> 'value')
      when 'string' then jsonb_set(c.condition, '{value}', coalesce($5::jsonb -> (c.condition ->> 'value'), c.condition -> 'value'))
      when 'array' then jsonb_set(c.condition, '{value}', (
        select coalesce(jsonb_agg(coalesce($5::jsonb -> (v.value #>> '{}'), v.value) order by v.place), '[]')
        from jsonb_array_elements(c.condition -> 'value') with ordinality v (value, place)))
      when 'object' then jsonb_set(c.condition, '{value,interactionId}',
        coalesce($5::jsonb -> (c.condition #>> '{value,interactionId}'), c.condition #> '{value,interactionId}'))
      else c.condition
    end order by c.place), '[]')
  from jsonb_array_elements(original.${name}) with ordinality c (condition, place))`;

function copyOfTable(table: string, columns: object, changed: Record<string, string>) {
  const values: Record<string, string> = {
    id: copyOf('id'),
    webinar_id: '$3::uuid',
    created_at: '$4::timestamptz',
    updated_at: '$4::timestamptz',
    ...changed,
  };
  const names = Object.keys(columns);
  return statement({
    name: `webinars.copy_${table}`,
    text: `
      insert into webinars.${table} (${names.join(', ')})
      select ${names.map((name) => values[name] ?? `original.${name}`).join(', ')}
      from webinars.${table} original where original.account_id = $1 and original.webinar_id = $2`,
  });
}

const copies = [
  copyOfTable('segment', segmentRow.columns, {}),
  copyOfTable('interaction', interactionRow.columns, {
    segment_id: copyOf('segment_id'),
    show_when: renamed('show_when'),
  }),
  copyOfTable('branch', branchRow.columns, {
    from_segment_id: copyOf('from_segment_id'),
    to_segment_id: copyOf('to_segment_id'),
    conditions: renamed('conditions'),
  }),
];

/** Copies all parts of a webinar, in their order, to another one of the account that has none. */
export async function copyParts(
  { query, accountId, now }: AccountWriter,
  { fromWebinarId, toWebinarId }: { fromWebinarId: string; toWebinarId: string },
): Promise<void> {
  const originals = await query(selectIds, [accountId, fromWebinarId]);
  const copyIds = JSON.stringify(Object.fromEntries(originals.map(({ id }) => [id, createId()])));
  const values = [accountId, fromWebinarId, toWebinarId, now, copyIds];
  await Promise.all(copies.map((copy) => query(copy, values)));
}

import { column, statement, type AccountReader, type RowsOf } from '@service/database';
import type { KeyCreator } from '@service/trpc';
import { allKeys, type credentialKinds } from './entities.ts';

/** Keys and grants in the list at most; the newest ones are listed. */
const keysMax = 200;

// Steps from key to key along the primary key, so it does not read the other rows of a key.
const selectKeys = statement({
  name: 'activity.select_keys',
  text: `
    with recursive seen as (
      (select key_id, key_label, key_created_by, credential_kind from activity.api_call_count
       where account_id = $1 and key_id > $2 order by key_id desc, starts_at desc limit 1)
      union all
      select next.key_id, next.key_label, next.key_created_by, next.credential_kind from seen cross join lateral (
        select key_id, key_label, key_created_by, credential_kind from activity.api_call_count
        where account_id = $1 and key_id > $2 and key_id < seen.key_id order by key_id desc, starts_at desc limit 1
      ) next
    )
    select key_id as id, key_label as label, coalesce(key_created_by, '{"kind": "unknown"}') as "createdBy",
      coalesce(credential_kind, 'key') as kind
    from seen limit ${keysMax}`,
  row: {
    id: column.id,
    label: column.text,
    createdBy: column.json<KeyCreator>(),
    kind: column.textOf<(typeof credentialKinds)[number]>(),
  },
});

/** The keys and grants with calls in the retention time, also revoked ones, with their last label. Sorted by label. */
export async function listKeys({ query, accountId }: AccountReader): Promise<RowsOf<typeof selectKeys>[]> {
  const keys = await query(selectKeys, [accountId, allKeys]);
  return keys.toSorted((one, other) => one.label.localeCompare(other.label));
}

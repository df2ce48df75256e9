import { column, lowestId, nullable, statement } from '@service/database';
import type { ErasePerson } from '@service/module';

const callsMax = 5000;

// Callers write addresses into paths and idempotency keys. $2: after this id, $3: the address as a regular expression, $4: at most.
const eraseAddress = statement({
  name: 'activity.erase_address',
  text: `
    with page as materialized (
      select p.id, concat_ws(' ', p.path, p.idempotency_key, p.user_agent, p.refused_fields::text) ~* $3 as is_named
      from activity.api_call p where p.account_id = $1 and p.id > $2 order by p.id limit $4
    ), erased as (
      update activity.api_call c set path = regexp_replace(c.path, $3, '[erased]', 'gi'),
        idempotency_key = regexp_replace(c.idempotency_key, $3, '[erased]', 'gi'),
        user_agent = regexp_replace(c.user_agent, $3, '[erased]', 'gi'),
        refused_fields = regexp_replace(c.refused_fields::text, $3, '[erased]', 'gi')::jsonb
      from page where page.is_named and c.account_id = $1 and c.id = page.id
    )
    select count(*)::int as count, max(id::text)::uuid as last from page`,
  row: { count: column.integer, last: nullable(column.id) },
});

/** Takes the address of the person out of calls, which stay. */
export const eraseCalls: ErasePerson = async ({ query, accountId }, { email }, cursor) => {
  // Not `RegExp.escape`: Postgres reads its hexadecimal escapes in another way.
  const pattern = [email, encodeURIComponent(email)]
    .map((text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`))
    .join('|');
  const [page] = await query(eraseAddress, [accountId, cursor ?? lowestId, pattern, callsMax]);
  return page!.count === callsMax ? page!.last : null;
};

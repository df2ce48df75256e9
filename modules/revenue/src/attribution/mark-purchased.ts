import { setPurchased } from '@service/attendees';
import { column, statement, type AccountWriter } from '@service/database';

const selectPurchased = statement({
  name: 'revenue.select_purchased_registrations',
  text: `
    select distinct registration_id as "registrationId" from revenue.credit
    where account_id = $1 and registration_id = any($2::uuid[]) and pairing = 'own'`,
  row: { registrationId: column.id },
});

/** Writes to registrations whether a purchase is credited to them now, for filters and conditions. */
export async function markPurchased(
  tx: Pick<AccountWriter, 'query' | 'accountId'>,
  registrationIds: readonly (string | null)[],
): Promise<void> {
  const ids = [...new Set(registrationIds)].filter((id) => id !== null);
  if (ids.length === 0) return;
  const rows = await tx.query(selectPurchased, [tx.accountId, ids]);
  const purchased = new Set(rows.map(({ registrationId }) => registrationId));
  await setPurchased(tx, new Map(ids.map((id) => [id, purchased.has(id)])));
}

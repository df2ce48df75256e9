import { setPurchased } from '@service/attendees';
import { column, statement, type AccountWriter } from '@service/database';

const findPurchases = statement({
  name: 'revenue.find_purchases_of_registrations',
  text: `
    select wanted.id, (
      select true from revenue.credit c
      where c.account_id = $1 and c.registration_id = wanted.id and c.pairing = 'own' limit 1) is true as purchased
    from unnest($2::uuid[]) as wanted (id)`,
  row: { id: column.id, purchased: column.boolean },
});

/** Sets `purchased` of registrations whose credits of purchases were added, replaced or removed. Call it after writing the credits. */
export async function markPurchases(
  tx: Pick<AccountWriter, 'query' | 'accountId'>,
  registrationIds: Iterable<string>,
): Promise<void> {
  const ids = [...new Set(registrationIds)];
  if (ids.length === 0) return;
  const rows = await tx.query(findPurchases, [tx.accountId, ids]);
  await setPurchased(tx, new Map(rows.map(({ id, purchased }) => [id, purchased])));
}

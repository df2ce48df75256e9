import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';

const selectJourney = statement({
  name: 'attendees.select_journey',
  text: `
    select r.registered_at as "registeredAt", a.first_joined_at as "firstJoinedAt"
    from attendees.registration r
    left join attendees.attendance a on a.account_id = r.account_id and a.registration_id = r.id
    where r.account_id = $1 and r.id = $2`,
  row: { registeredAt: column.time, firstJoinedAt: nullable(column.time) },
});

/** The times at which a person registered and first joined. */
export type Journey = RowsOf<typeof selectJourney>;

/** Undefined for a registration that does not exist or belongs to another account. */
export async function findJourney(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  registrationId: string,
): Promise<Journey | undefined> {
  const [row] = await query(selectJourney, [accountId, registrationId]);
  return row;
}

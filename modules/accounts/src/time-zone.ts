import { column, statement, type AccountReader, type AccountWriter } from '@service/database';

const timeZoneDefault = 'UTC';

/** The time zone of the workspace of an organization `o`, in a statement. */
export const timeZoneColumn = `coalesce((select time_zone from accounts.setting where account_id = o.id), '${timeZoneDefault}')`;

const selectTimeZone = statement({
  name: 'accounts.select_time_zone',
  text: 'select time_zone from accounts.setting where account_id = $1',
  row: { time_zone: column.text },
});

/** The IANA time zone of the workspace, in which days of reports are counted. UTC until an owner changes it. */
export async function findTimeZone({
  query,
  accountId,
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<string> {
  const [row] = await query(selectTimeZone, [accountId]);
  return row?.time_zone ?? timeZoneDefault;
}

const upsertTimeZone = statement({
  name: 'accounts.upsert_time_zone',
  text: `
    insert into accounts.setting (account_id, time_zone, changed_by, changed_at) values ($1, $2, $3, $4)
    on conflict (account_id) do update
    set time_zone = excluded.time_zone, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
});

/** Stores the time zone with the owner who changed it and the time. */
export async function storeTimeZone(
  { query, accountId, now }: AccountWriter,
  { timeZone, ownerId }: { timeZone: string; ownerId: string },
): Promise<void> {
  await query(upsertTimeZone, [accountId, timeZone, ownerId, now]);
}

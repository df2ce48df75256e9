import { column, statement, type AccountReader } from '@service/database';

const selectWindows = statement({
  name: 'webinars.select_attribution_windows',
  text: `
    select id, (attribution ->> 'windowDays')::int as "windowDays" from webinars.webinar
    where account_id = $1 and id = any($2::uuid[]) and attribution ->> 'windowDays' is not null`,
  row: { id: column.id, windowDays: column.integer },
});

/** The attribution windows of webinars that have one of their own, in days, by id. Webinars may have any status. */
export async function findAttributionWindows(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarIds: readonly string[],
): Promise<Map<string, number>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await query(selectWindows, [accountId, [...new Set(webinarIds)]]);
  return new Map(rows.map(({ id, windowDays }) => [id, windowDays]));
}

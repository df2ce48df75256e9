import { column, statement, type AccountReader } from '@service/database';

const selectTitles = statement({
  name: 'webinars.select_titles',
  text: 'select id, title from webinars.webinar where account_id = $1 and id = any($2::uuid[])',
  row: { id: column.id, title: column.text },
});

/** The titles of webinars of the account in any status, by id. */
export async function nameWebinars(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarIds: readonly string[],
): Promise<Map<string, string>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await query(selectTitles, [accountId, webinarIds]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

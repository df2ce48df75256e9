import { rowToEntity, type Query } from '@service/database';
import type { Session } from '../entities/session.ts';

const selectByKeys = {
  name: 'webinars.select_sessions',
  text: `
    select s.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join webinars.session s using (account_id, id)`,
};

/** Sessions by id, in one statement. `keys` may be of several accounts; each session is named once. */
export async function loadSessions(
  query: Query,
  keys: readonly Pick<Session, 'accountId' | 'id'>[],
): Promise<Map<string, Session>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectByKeys, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row['id'] as string, rowToEntity<Session>(row)]));
}

import type { AccountReader } from '@service/database';

/** Counts registrations that are not cancelled, by session id. Sessions without registrations are not in the map. */
export async function countRegistrations(
  reader: AccountReader,
  sessionIds: readonly string[],
): Promise<Map<string, number>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await reader.em.execute<{ session_id: string; count: number }[]>(
    `select session_id, count(*)::int as count from webinars.registration
     where account_id = ? and status <> 'cancelled'
       and session_id in (select id::uuid from jsonb_array_elements_text(?::jsonb) as s (id))
     group by session_id`,
    [reader.accountId, JSON.stringify(sessionIds)],
  );
  return new Map(rows.map((row) => [row.session_id, row.count]));
}

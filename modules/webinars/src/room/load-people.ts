import { rowToEntity, type Transaction } from '@service/database';
import type { Registration } from '../registration/registration.ts';
import { selectRegistrations } from './rooms.sql.ts';

/** Who attendees are, by the ids of their registrations. Heartbeats do without, as long as nothing happens. */
export async function loadPeople(
  { query }: Pick<Transaction, 'query'>,
  attendees: readonly { accountId: string; registrationId: string }[],
): Promise<Map<string, Registration>> {
  if (attendees.length === 0) return new Map();
  const each = [...new Map(attendees.map((one) => [one.registrationId, one])).values()];
  const rows = await query(selectRegistrations, [
    each.map(({ accountId }) => accountId),
    each.map(({ registrationId }) => registrationId),
  ]);
  return new Map(rows.map((row) => [row['id'] as string, rowToEntity<Registration>(row)]));
}

import { rowToEntity, type Transaction } from '@service/database';
import type { Registration } from '../entities/registration.ts';
import { selectRegistrations } from './rooms.sql.ts';

/** Loads registrations by id. Heartbeats without events do not need them. */
export async function loadPeople(
  { query }: Pick<Transaction, 'query'>,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, Registration>> {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(selectRegistrations, [accountId, [...new Set(registrationIds)]]);
  return new Map(rows.map((row) => [row['id'] as string, rowToEntity<Registration>(row)]));
}

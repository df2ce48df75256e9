import type { AccountWriter } from '@service/database';
import { webinarErrors } from '../errors.ts';
import type { Session } from './session.ts';

interface Place {
  session: Session;
  capacity: number;
  email: string | undefined;
}

/** Makes sure that there is a place for a person, until the end of the transaction. Throws session_full. */
export async function takePlace(tx: AccountWriter, { session, capacity, email }: Place): Promise<void> {
  const free = await countFreePlaces(tx, session, capacity);
  if (free > 0) return;
  if (email !== undefined && (await findPlaced(tx, session, [email])).has(email)) return;
  throw webinarErrors.session_full();
}

/** Counts free places and locks them: until the end of the transaction, no other transaction can take one. */
export async function countFreePlaces(
  { em, accountId }: AccountWriter,
  session: Session,
  capacity: number,
): Promise<number> {
  // The lock waits for other bookings. Only the next statement sees the places that they took.
  await em.execute(`select from webinars.session where account_id = ? and id = ? for no key update`, [
    accountId,
    session.id,
  ]);
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from webinars.registration
     where account_id = ? and session_id = ? and status <> 'cancelled'`,
    [accountId, session.id],
  );
  return capacity - row!.count;
}

/** Returns those of the e-mail addresses that are registered for the session. */
export async function findPlaced(
  { em, accountId }: AccountWriter,
  session: Session,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await em.execute<{ email: string }[]>(
    `select email from webinars.registration
     where account_id = ? and session_id = ? and status <> 'cancelled'
       and email in (select jsonb_array_elements_text(?::jsonb))`,
    [accountId, session.id, JSON.stringify(emails)],
  );
  return new Set(rows.map((row) => row.email));
}

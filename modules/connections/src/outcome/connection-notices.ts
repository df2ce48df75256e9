import { column, nullable, statement, type Transaction } from '@service/database';
import { afterNotification } from '../connection/connection-state.ts';
import type { ConnectionState } from '../connection/connection.ts';
import { lockHealth, writeHealth } from './record-outcome.ts';

/** A state of a connection that people are notified of. */
export interface ConnectionNotice {
  accountId: string;
  connectionId: string;
  kind: 'mail' | 'marketing';
  provider: string;
  name: string;
  state: Exclude<ConnectionState, 'connected'>;
  since: Date;
  /** Mostly the provider's own words. */
  reason: string;
  /** The member who connected it. Null for an operator. Gets only notices about `disconnected`. */
  connectedBy: string | null;
}

/** Takes the notices that are due, the oldest first, and plans the next ones in the caller's transaction. */
export async function takeConnectionNotices(
  { query }: Pick<Transaction, 'query'>,
  { limit, now }: { limit: number; now: Date },
): Promise<ConnectionNotice[]> {
  const due = await query(selectDue, [now, limit]);
  for (const { accountId, connectionId } of due) {
    const [row] = await query(lockHealth, [accountId, connectionId]);
    const { version: _version, ...health } = row!;
    await writeHealth({ query, accountId }, connectionId, afterNotification(health, now));
  }
  return due.flatMap(({ state, reason, ...notice }) =>
    state === 'connected' ? [] : [{ ...notice, state, reason: reason ?? '' }],
  );
}

// No mail is about a paused connection: nothing is sent there.
const selectDue = statement({
  name: 'connections.select_due_notices',
  text: `
    select account_id as "accountId", id as "connectionId", kind, provider, name, state, since, reason, created_by_id as "connectedBy"
    from connections.connection where notify_at <= $1 and paused_at is null
    order by notify_at limit $2 for update skip locked`,
  allAccounts: 'A worker notifies the people of every account.',
  row: {
    accountId: column.id,
    connectionId: column.id,
    kind: column.textOf<ConnectionNotice['kind']>(),
    provider: column.text,
    name: column.text,
    state: column.textOf<ConnectionState>(),
    since: column.time,
    reason: nullable(column.text),
    connectedBy: nullable(column.text),
  },
});

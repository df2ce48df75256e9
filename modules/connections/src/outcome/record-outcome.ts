// Writes what sends and verifications say about a connection. A busy lane ends thousands of mails a minute: a success of a connected
// connection writes at most once a minute. In between it is remembered here, and a failure that follows writes both.
import type { ChangeAnnouncer } from '@service/changes';
import { column, nullable, statement, type AccountWriter, type RowsOf } from '@service/database';
import type { SendOutcome } from '@service/mail-senders';
import { addressPattern, type ErasePerson } from '@service/module';
import { LRUCache } from 'lru-cache';
import { afterObservation, type Health, type Observation } from '../connection/connection-state.ts';
import type { ConnectionState } from '../connection/connection.ts';

/** The version of the credential that was used. */
export interface UsedConnection {
  id: string;
  version: number;
}

/** `mustVerify`: the provider refused the credential or the mail. `verifyAfterRefusal` finds out which of both. */
export interface Recorded {
  mustVerify: boolean;
}

interface Remembered {
  /** The last write of this process. It found or made the connection connected. */
  writtenAt: Date;
  /** The last success since. */
  successAt: Date | undefined;
}

const successEveryMs = 60_000;
const rememberedMax = 5000;

/** $1 account, $2 connection. */
export const lockHealth = statement({
  name: 'connections.lock_health',
  text: `
    select credential_version as version, state, since, reason, laters, first_later_at as "firstLaterAt",
      notify_at as "notifyAt", notifications, notified_at as "notifiedAt", notified_state as "notifiedState"
    from connections.connection where account_id = $1 and id = $2 for update`,
  row: {
    version: column.integer,
    state: column.textOf<ConnectionState>(),
    since: column.time,
    reason: nullable(column.text),
    laters: column.integer,
    firstLaterAt: nullable(column.time),
    notifyAt: nullable(column.time),
    notifications: column.integer,
    notifiedAt: nullable(column.time),
    notifiedState: nullable(column.textOf<ConnectionState>()),
  },
});

const updateHealth = statement({
  name: 'connections.update_health',
  text: `
    update connections.connection set state = $3, since = $4, reason = $5, laters = $6, first_later_at = $7, notify_at = $8, notifications = $9,
      notified_at = $10, notified_state = $11, last_success_at = greatest(last_success_at, $12), last_failure_at = greatest(last_failure_at, $13),
      checked_at = greatest(checked_at, $14)
    where account_id = $1 and id = $2`,
});

interface Times {
  successAt?: Date | undefined;
  failureAt?: Date | undefined;
  checkedAt?: Date | undefined;
}

/** Writes a health that was computed from the locked row. */
export const writeHealth = (
  { query, accountId }: Pick<AccountWriter, 'query' | 'accountId'>,
  id: string,
  health: Health,
  { successAt, failureAt, checkedAt }: Times = {},
): Promise<unknown> =>
  query(updateHealth, [
    accountId,
    id,
    health.state,
    health.since,
    health.reason,
    health.laters,
    health.firstLaterAt,
    health.notifyAt,
    health.notifications,
    health.notifiedAt,
    health.notifiedState,
    successAt ?? null,
    failureAt ?? null,
    checkedAt ?? null,
  ]);

export function createOutcomeRecorder({
  changes,
}: {
  changes: Pick<ChangeAnnouncer, 'announce'> | undefined;
}) {
  // `max` would reserve the memory of all entries at once.
  const remembered = new LRUCache<string, Remembered>({ maxSize: rememberedMax, sizeCalculation: () => 1 });

  /** Applies observations to the locked row. Those of a replaced credential are ignored. Returns the state afterwards. */
  async function observe(
    tx: AccountWriter,
    { id, version }: UsedConnection,
    observation: Observation | undefined,
    { isVerification }: { isVerification: boolean },
  ): Promise<ConnectionState | undefined> {
    const { accountId, now } = tx;
    const [row] = await tx.query(lockHealth, [accountId, id]);
    if (!row || row.version !== version) return row?.state;
    const name = nameOf(accountId, id);
    const earlier = remembered.get(name)?.successAt;
    const before: Health = healthOf(row);
    const withEarlier = earlier ? afterObservation(before, { kind: 'worked' }, earlier) : before;
    const seen =
      observation?.kind === 'worked' ? { ...observation, isVerified: isVerification } : observation;
    const health = seen ? afterObservation(withEarlier, seen, now) : withEarlier;
    await writeHealth(tx, id, health, {
      successAt: observation?.kind === 'worked' ? now : earlier,
      failureAt: observation === undefined || observation.kind === 'worked' ? undefined : now,
      checkedAt: isVerification ? now : undefined,
    });
    tx.afterCommit(() => {
      if (health.state === 'connected') remembered.set(name, { writtenAt: now, successAt: undefined });
      else remembered.delete(name);
      changes?.announce(accountId, 'connections');
    });
    return health.state;
  }

  const rememberSuccess = (accountId: string, { id }: UsedConnection, now: Date): boolean => {
    const known = remembered.get(nameOf(accountId, id));
    if (!known || now.getTime() - known.writtenAt.getTime() >= successEveryMs) return false;
    known.successAt = now;
    return true;
  };

  return {
    observe,
    rememberSuccess,

    /** Records the outcome of one mail, in the transaction of the caller. */
    async recordOutcome(tx: AccountWriter, used: UsedConnection, outcome: SendOutcome): Promise<Recorded> {
      if (outcome.kind === 'sent') {
        if (!rememberSuccess(tx.accountId, used, tx.now))
          await observe(tx, used, { kind: 'worked' }, { isVerification: false });
      } else if (outcome.kind === 'later' || outcome.kind === 'uncertain') {
        // The provider may have taken an uncertain mail, but its answer was lost.
        await observe(tx, used, { kind: 'later', reason: outcome.reason }, { isVerification: false });
      }
      // A refused recipient says nothing about the connection.
      return { mustVerify: outcome.kind === 'credential_refused' || outcome.kind === 'mail_refused' };
    },

    /** After a change by a person: what is remembered may be of another state. */
    forget: (accountId: string, id: string): void => void remembered.delete(nameOf(accountId, id)),
  };
}

const healthOf = ({ version: _version, ...health }: RowsOf<typeof lockHealth>): Health => health;

export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>;

const nameOf = (accountId: string, id: string): string => `${accountId} ${id}`;

// A workspace has ten connections at most. $2: the pattern of the address.
const eraseReasons = statement({
  name: 'connections.erase_reasons',
  text: `
    update connections.connection set reason = 'The reason named a person who was erased.'
    where account_id = $1 and reason ~* $2`,
});

/** Reasons are words of a provider, which may name a recipient. */
export const eraseReasonsOf: ErasePerson = async ({ query, accountId }, { email }) => {
  await query(eraseReasons, [accountId, addressPattern(email)]);
  return null;
};

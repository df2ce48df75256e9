// Most accounts have no marketing tool, so each process remembers those that have one, and their events cost no statement. A change
// of a connection sends a notification, after which its account is read again. Without notifications all are read again each second.
import {
  column,
  listenFor,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Database,
  type Listening,
} from '@service/database';
import type { Log } from '@service/log';
import type { MarketingSettings } from './connection.ts';
import type { SyncSettings } from './sync-settings.ts';

const channel = 'connections_marketing';

/** The longest time for which a process trusts its list: while it gets notifications, and without them. */
const maxAgeMs = { notified: 60_000, alone: 1000 };

/** A connection that every registrant is kept in step with. */
export interface SyncTarget {
  connectionId: string;
  sync: SyncSettings;
}

// NOTIFY makes commits wait for each other. Connections change rarely.
const notify = statement({
  name: 'connections.notify_marketing',
  text: `select pg_notify('${channel}', $1::uuid::text)`,
});

/** One function for each list of this process: it forgets what the list knows about an account. */
const forgets = new Set<(accountId: string) => void>();

/** Makes every process read the connections of the account again. Call it in each transaction that changes a connection to a marketing tool. */
export function notifyMarketingChanged(tx: Pick<AccountWriter, 'defer' | 'afterCommit' | 'accountId'>): void {
  tx.defer(notify, [tx.accountId]);
  tx.afterCommit(() => {
    for (const forget of forgets) forget(tx.accountId);
  });
}

export interface ConnectedAccounts {
  /** The connections that are kept in step. A promise only while the list is read. */
  targetsOf(accountId: string): readonly SyncTarget[] | Promise<readonly SyncTarget[]>;
  close(): Promise<void>;
}

/** By account. */
type Targets = Map<string, readonly SyncTarget[]>;

/** From so many changed accounts on, all are read again. */
const changedMax = 1000;

export function createConnectedAccounts({
  database,
  log,
}: {
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
}): ConnectedAccounts {
  let known: { targets: Targets; readAtMs: number } | undefined;
  let reading: Promise<Targets> | undefined;
  /** Accounts whose connections have changed since the last read of all accounts began. */
  const changed = new Set<string>();
  const readingOf = new Map<string, Promise<readonly SyncTarget[]>>();
  let listening: Listening | undefined;
  let isConnected = false;

  const forgetAll = (): void => {
    known = undefined;
    reading = undefined;
    changed.clear();
    readingOf.clear();
  };

  const forget = (accountId: string): void => {
    changed.add(accountId);
    // It may have begun before the change.
    reading = undefined;
    readingOf.delete(accountId);
    if (changed.size > changedMax) forgetAll();
  };
  forgets.add(forget);

  const listen = (): Listening =>
    listenFor({
      database,
      channel,
      onPayload: forget,
      onConnected() {
        forgetAll();
        isConnected = true;
      },
      onLost: () => void (isConnected = false),
      onError: (error) =>
        log.warn({ err: error }, 'The connection for changes of marketing tools is lost. Connecting again'),
    });

  const read = (): Promise<Targets> => {
    const readAtMs = performance.now();
    changed.clear();
    readingOf.clear();
    const started = database
      .query(selectTargets, [])
      .then((rows) => {
        const targets = new Map(
          [...Map.groupBy(rows, ({ accountId }) => accountId)].map(
            ([accountId, own]) => [accountId, own.map(toTarget)] as const,
          ),
        );
        // A dropped read may have begun before the change.
        if (reading === started) known = { targets, readAtMs };
        return targets;
      })
      .finally(() => {
        if (reading === started) reading = undefined;
      });
    return started;
  };

  const readOne = (accountId: string): Promise<readonly SyncTarget[]> => {
    const started = database.query(selectTargetsOf, [accountId]).then((rows) => {
      const targets = rows.map(toTarget);
      // A read that was forgotten may have begun before the change.
      if (readingOf.get(accountId) === started && known) {
        if (targets.length > 0) known.targets.set(accountId, targets);
        else known.targets.delete(accountId);
        changed.delete(accountId);
      }
      return targets;
    });
    const ended = started.finally(() => {
      if (readingOf.get(accountId) === started) readingOf.delete(accountId);
    });
    readingOf.set(accountId, started);
    return ended;
  };

  return {
    targetsOf(accountId) {
      listening ??= listen();
      const maxMs = isConnected ? maxAgeMs.notified : maxAgeMs.alone;
      if (known && performance.now() - known.readAtMs < maxMs) {
        if (changed.has(accountId)) return readingOf.get(accountId) ?? readOne(accountId);
        return known.targets.get(accountId) ?? [];
      }
      reading ??= read();
      return reading.then((targets) =>
        changed.has(accountId) ? readOne(accountId) : (targets.get(accountId) ?? []),
      );
    },
    async close() {
      forgets.delete(forget);
      await listening?.stop();
    },
  };
}

const selectProviders = statement({
  name: 'connections.select_marketing_providers',
  text: `select id, provider from connections.connection where account_id = $1 and kind = 'marketing' order by id`,
  row: { id: column.id, provider: column.text },
});

/** The providers of an account's connections to marketing tools, by the id of the connection. */
export const findMarketingProviders = async ({
  query,
  accountId,
}: AccountQueries): Promise<Map<string, string>> =>
  new Map((await query(selectProviders, [accountId])).map(({ id, provider }) => [id, provider]));

/** The connections of the account that are kept in step, as this transaction sees them. */
export const findSyncTargets = async ({ query, accountId }: AccountQueries): Promise<SyncTarget[]> =>
  (await query(selectTargetsOf, [accountId])).map(toTarget);

const toTarget = ({
  connectionId,
  settings,
}: {
  connectionId: string;
  settings: MarketingSettings;
}): SyncTarget => ({ connectionId, sync: settings.sync });

const selectTargetsOf = statement({
  name: 'connections.select_sync_targets_of_account',
  text: `
    select id as "connectionId", settings from connections.connection
    where account_id = $1 and kind = 'marketing' and (settings #>> '{sync,enabled}')::boolean
    order by id`,
  row: { connectionId: column.id, settings: column.json<MarketingSettings>() },
});

const selectTargets = statement({
  name: 'connections.select_sync_targets',
  text: `
    select account_id as "accountId", id as "connectionId", settings from connections.connection
    where kind = 'marketing' and (settings #>> '{sync,enabled}')::boolean
    order by account_id, id`,
  allAccounts: 'Each process remembers the accounts that have a marketing tool.',
  row: { accountId: column.id, connectionId: column.id, settings: column.json<MarketingSettings>() },
});

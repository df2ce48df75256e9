// Most events match no rule, so each process caches the enabled rules of the webinars that have events. A change of rules sends
// a notification, which drops them from the cache. If notifications fail, cached rules are compared by version after a second, and
// after a minute by a fingerprint of their rows.
// Nothing fires before the version was read in the events' own transaction (event-subscriber.ts). So a stale rule fires only if a process of
// another version of the service has changed it without a new version.
import { listenFor, statement, type AccountWriter, type Database, type Listening } from '@service/database';
import type { Log } from '@service/log';
import { LRUCache } from 'lru-cache';
import { loadRulesVersion, loadWebinarRules, type WebinarRules } from './webinar-rules.ts';

/** Maximum age of a comparison with the version in the database. After it, cached rules are compared again before they are used. */
const comparisonMaxAgeMs = 1000;

/** Maximum age of a comparison of the rows: a process of another version of the service may change rules and leave the version as it is. */
const rowsMaxAgeMs = 60_000;

/** Characters of all cached rules. A webinar has a few thousand; one with a hundred huge rules has fifty million. */
const sizeMax = 100_000_000;
/** An entry without rules counts this much: it takes 900 bytes. */
const emptySize = 1000;

/** The payload of a notification is a `rulesKey`. */
const rulesChannel = 'automations_rules';

/** One webinar of one account. */
const rulesKey = (accountId: string, webinarId: string): string => `${accountId}:${webinarId}`;

// NOTIFY makes commits wait for each other. Rules change rarely, so that costs nothing noticeable.
const incrementVersion = statement({
  name: 'automations.increment_rules_version',
  text: `
    with changed as (
      insert into automations.rule_set (account_id, webinar_id, version) values ($1, $2, 1)
      on conflict (account_id, webinar_id) do update set version = rule_set.version + 1
      returning account_id, webinar_id
    )
    select pg_notify('${rulesChannel}', account_id || ':' || webinar_id) from changed`,
});

/** Drop the rules with this key from the caches of this process. */
const drops = new Set<(key: string) => void>();

/**
 * Makes every process reload the rules of a webinar. Call it in each transaction that changes rules. This process does so before the
 * change is answered, so that a caller's next event finds the new rule; the others within milliseconds.
 */
export function notifyRulesChanged(tx: AccountWriter, webinarId: string): void {
  tx.defer(incrementVersion, [tx.accountId, webinarId]);
  tx.afterCommit(() => {
    for (const drop of drops) drop(rulesKey(tx.accountId, webinarId));
  });
}

interface RuleCacheOptions {
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
}

export interface RuleCache {
  /** The enabled rules of a webinar, if they are cached and were compared with the database in the last second. */
  cached(accountId: string, webinarId: string): WebinarRules | undefined;
  /** Loads the rules if they have changed. Parallel calls share one load. The first call starts to listen for notifications. */
  load(accountId: string, webinarId: string): Promise<WebinarRules>;
  /** The rules as this transaction sees them. Drops the cached ones, which are stale. */
  reload(tx: Pick<AccountWriter, 'query' | 'accountId'>, webinarId: string): Promise<WebinarRules>;
  close(): Promise<void>;
}

interface Entry {
  rules: WebinarRules;
  /** When the rows and when the version were last compared: on the monotonic clock, before the database was queried. */
  rowsAtMs: number;
  comparedAtMs: number;
}

export function createRuleCache({ database, log }: RuleCacheOptions): RuleCache {
  const { query } = database;
  const entries = new LRUCache<string, Entry>({
    maxSize: sizeMax,
    sizeCalculation: ({ rules }) => rules.size + emptySize,
  });
  const loads = new Map<string, Promise<Entry>>();
  let listening: Listening | undefined;
  /** False while notifications can be lost. */
  let isConnected = false;

  const drop = (key: string): void => {
    entries.delete(key);
    loads.delete(key);
  };
  drops.add(drop);

  const listen = (): Listening =>
    listenFor({
      database,
      channel: rulesChannel,
      onPayload: drop,
      onConnected() {
        // Notifications before this connection were lost, so versions are compared before the next use.
        for (const entry of entries.values()) entry.comparedAtMs = -Infinity;
        loads.clear();
        isConnected = true;
      },
      onLost: () => void (isConnected = false),
      onError: (error) =>
        log.warn({ err: error }, 'The connection for changes of rules is lost. Connecting again'),
    });

  const loadEntry = async (accountId: string, webinarId: string): Promise<Entry> => {
    const nowMs = performance.now();
    const entry = entries.get(rulesKey(accountId, webinarId));
    const key = { accountId, webinarId };
    const isCurrent =
      entry !== undefined && !isOld(entry) && (await loadRulesVersion(query, key)) === entry.rules.version;
    if (isCurrent) return { ...entry, comparedAtMs: nowMs };
    return {
      rules: await loadWebinarRules(query, key, entry?.rules),
      rowsAtMs: nowMs,
      comparedAtMs: nowMs,
    };
  };

  const startLoad = (accountId: string, webinarId: string): Promise<Entry> => {
    const key = rulesKey(accountId, webinarId);
    const load = loadEntry(accountId, webinarId)
      .then((entry) => {
        // A dropped load may have read the rules before they changed.
        if (loads.get(key) === load) entries.set(key, entry);
        return entry;
      })
      .finally(() => {
        if (loads.get(key) === load) loads.delete(key);
      });
    loads.set(key, load);
    return load;
  };

  return {
    cached(accountId, webinarId) {
      const entry = isConnected ? entries.get(rulesKey(accountId, webinarId)) : undefined;
      if (entry === undefined || isOld(entry)) return undefined;
      return performance.now() - entry.comparedAtMs < comparisonMaxAgeMs ? entry.rules : undefined;
    },
    async load(accountId, webinarId) {
      listening ??= listen();
      const load = loads.get(rulesKey(accountId, webinarId)) ?? startLoad(accountId, webinarId);
      return (await load).rules;
    },
    reload(tx, webinarId) {
      const { accountId } = tx;
      drop(rulesKey(accountId, webinarId));
      return loadWebinarRules(tx.query, { accountId, webinarId });
    },
    async close() {
      drops.delete(drop);
      await listening?.stop();
    },
  };
}

const isOld = ({ rowsAtMs }: Entry): boolean => performance.now() - rowsAtMs >= rowsMaxAgeMs;

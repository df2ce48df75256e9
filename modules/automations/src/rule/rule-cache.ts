// What events cost is mostly finding out that no rule waits for them, so rules are remembered. Notifications keep that fresh;
// should they fail, nothing is believed for longer than a second, and nothing fires without its version having been checked.
import type { Query } from '@service/database';
import { LRUCache } from 'lru-cache';
import { rulesKey } from './note-rules-changed.ts';
import { readRulesVersion, readWebinarRules, type WebinarRules } from './webinar-rules.ts';

/** How long rules are believed without asking for their version. */
const maxAgeMs = 1000;

const webinarsMax = 20_000;
/** Characters of rules: a webinar has a few thousand, one with a hundred huge rules fifty million. */
const sizeMax = 100_000_000;

interface Entry {
  rules: WebinarRules;
  /** On the process's monotonic clock, from before the database was asked. */
  checkedAtMs: number;
}

export interface RuleCache {
  /** The rules of a webinar if they are known well enough to go without asking. */
  recent(accountId: string, webinarId: string): WebinarRules | undefined;
  /** Asks whether what is known is still true, and reads the rules if not. Whoever asks meanwhile gets the same answer. */
  ask(accountId: string, webinarId: string): Promise<WebinarRules>;
  /** The rules of this `rulesKey` have changed. */
  forget(key: string): void;
  /** Any rules may have changed: their versions are asked for before they are used again. */
  doubtAll(): void;
}

export function createRuleCache(query: Query): RuleCache {
  const entries = new LRUCache<string, Entry>({
    max: webinarsMax,
    maxSize: sizeMax,
    sizeCalculation: ({ rules }) => rules.size + 500,
  });
  const asking = new Map<string, Promise<Entry>>();

  const readEntry = async (accountId: string, webinarId: string): Promise<Entry> => {
    const checkedAtMs = performance.now();
    const known = entries.get(rulesKey(accountId, webinarId))?.rules;
    const key = { accountId, webinarId };
    const isStillTrue = known !== undefined && (await readRulesVersion(query, key)) === known.version;
    return { rules: isStillTrue ? known : await readWebinarRules(query, key), checkedAtMs };
  };

  const ask = (key: string, read: () => Promise<Entry>): Promise<Entry> => {
    const asked = read()
      .then((entry) => {
        // What was forgotten meanwhile may have been read before it changed.
        if (asking.get(key) === asked) entries.set(key, entry);
        return entry;
      })
      .finally(() => {
        if (asking.get(key) === asked) asking.delete(key);
      });
    asking.set(key, asked);
    return asked;
  };

  return {
    recent(accountId, webinarId) {
      const entry = entries.get(rulesKey(accountId, webinarId));
      return entry && performance.now() - entry.checkedAtMs < maxAgeMs ? entry.rules : undefined;
    },
    async ask(accountId, webinarId) {
      const key = rulesKey(accountId, webinarId);
      const asked = asking.get(key) ?? ask(key, () => readEntry(accountId, webinarId));
      return (await asked).rules;
    },
    forget(key) {
      entries.delete(key);
      asking.delete(key);
    },
    doubtAll() {
      for (const entry of entries.values()) entry.checkedAtMs = -Infinity;
      asking.clear();
    },
  };
}

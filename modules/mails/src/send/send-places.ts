/** The sends of this process at once, for mails of all accounts. */
const placesMax = 64;
/** No account has more than half of the places. */
const ownMax = 32;
/** Accounts whose last send was slow share this many places. */
const slowMax = 16;
const slowMs = 2000;
/** Accounts that are remembered as slow. */
const slowAccountsMax = 10_000;

export interface Places {
  isFull(): boolean;
  /** The number of mails that may be claimed for an account now. */
  freeFor(accountId: string): number;
  enter(accountId: string, count: number): void;
  leave(accountId: string): void;
  /** Records the time of a send. */
  observe(accountId: string, tookMs: number): void;
}

/** Shares the places of a process: a hanging mail server keeps only slow places from others. */
export function createPlaces(): Places {
  const openByAccount = new Map<string, number>();
  const slow = new Set<string>();
  let open = 0;

  const openOfSlow = (): number =>
    [...openByAccount].reduce((sum, [accountId, own]) => sum + (slow.has(accountId) ? own : 0), 0);

  return {
    isFull: () => open >= placesMax,
    freeFor(accountId) {
      const own = openByAccount.get(accountId) ?? 0;
      const free = Math.min(placesMax - open, ownMax - own);
      return Math.max(0, slow.has(accountId) ? Math.min(free, slowMax - openOfSlow()) : free);
    },
    enter(accountId, count) {
      open += count;
      openByAccount.set(accountId, (openByAccount.get(accountId) ?? 0) + count);
    },
    leave(accountId) {
      open -= 1;
      const own = openByAccount.get(accountId)! - 1;
      if (own > 0) openByAccount.set(accountId, own);
      else openByAccount.delete(accountId);
    },
    observe(accountId, tookMs) {
      if (tookMs <= slowMs) slow.delete(accountId);
      else if (slow.size < slowAccountsMax) slow.add(accountId);
    },
  };
}

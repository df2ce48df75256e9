/** The sends of this process at once, for mails of all accounts. A slow send does not count. */
const placesMax = 64;
/** No account has more than half of the places. */
const ownMax = 32;
/** Accounts whose last send was slow share this many sends. */
const slowMax = 16;
/** The slow sends that leave their places to others. */
const movedMax = 128;
/** Accounts that are remembered as slow. */
const slowAccountsMax = 10_000;

/** After this time a send is slow. */
export const slowMs = 2000;

export interface Places {
  isFull(): boolean;
  /** Free places of all accounts together. */
  free(): number;
  /** The number of mails that may be claimed now for an account that may have `openMax` open sends. */
  freeFor(accountId: string, openMax: number): number;
  /** Accounts that get no place now. A search for due mails leaves them out, else they would hide the accounts behind them. */
  fullAccounts(): string[];
  enter(accountId: string, openMax: number): Place;
}

/** The place of one mail from its claim to its outcome. */
export interface Place {
  /** The send is slow, and others get its place. */
  slowDown(): void;
  /** The send has ended. */
  leave(): void;
  /** Nothing was sent. */
  giveBack(): void;
}

/** Shares the places of a process: hanging mail servers keep places from others for two seconds at most. */
export function createPlaces(): Places {
  const openByAccount = new Map<string, { own: number; max: number }>();
  const slow = new Set<string>();
  let open = 0;
  let moved = 0;

  const openOfSlow = (): number =>
    [...openByAccount].reduce((sum, [accountId, { own }]) => sum + (slow.has(accountId) ? own : 0), 0);

  const leaveAccount = (accountId: string): void => {
    const { own, max } = openByAccount.get(accountId)!;
    if (own > 1) openByAccount.set(accountId, { own: own - 1, max });
    else openByAccount.delete(accountId);
  };

  return {
    isFull: () => open >= placesMax,
    free: () => Math.max(0, placesMax - open),
    fullAccounts: () => [
      ...[...openByAccount].filter(([, { own, max }]) => own >= max).map(([accountId]) => accountId),
      ...(openOfSlow() < slowMax ? [] : slow),
    ],
    freeFor(accountId, openMax) {
      const { own = 0 } = openByAccount.get(accountId) ?? {};
      const free = Math.min(placesMax - open, ownMax - own, openMax - own);
      return Math.max(0, slow.has(accountId) ? Math.min(free, slowMax - openOfSlow()) : free);
    },
    enter(accountId, openMax) {
      open += 1;
      const { own = 0 } = openByAccount.get(accountId) ?? {};
      openByAccount.set(accountId, { own: own + 1, max: Math.min(ownMax, openMax) });
      let isSlow = false;
      let isMoved = false;
      return {
        slowDown() {
          isSlow = true;
          if (slow.size < slowAccountsMax) slow.add(accountId);
          if (moved >= movedMax) return;
          isMoved = true;
          moved += 1;
          open -= 1;
        },
        leave() {
          if (isMoved) moved -= 1;
          else open -= 1;
          leaveAccount(accountId);
          if (!isSlow) slow.delete(accountId);
        },
        giveBack() {
          open -= 1;
          leaveAccount(accountId);
        },
      };
    },
  };
}

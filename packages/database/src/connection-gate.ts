// All accounts of a process share the connections of a pool. Without a limit a few slow statements of one account could use all of
// them, and the other accounts would wait. So a call takes a place here before it takes a connection. No account has more than
// `accountMax` places. Accounts that wait take turns, and the calls of one account are served in their order.
import { commonErrors } from '@service/errors';
import type { AccountShare } from './account-share.ts';

export interface GateOptions {
  /** Connections that all accounts use at once. */
  places: number;
  /** Connections that one account uses at once. */
  accountMax: number;
  /** The longest a call waits for its place. */
  waitMaxMs: number;
  /** Calls of one account that wait at once. */
  waitingMax: number;
  /** An account that has used more than its share has one place, or none for some time. */
  shares?: readonly Pick<AccountShare, 'restMs' | 'isHeavy'>[];
}

export interface ConnectionGate {
  /**
   * Resolves when the account has a place. The caller must call the returned function to give the place back. Throws service_busy
   * when no place becomes free in time, or when too many calls of the account wait already.
   */
  enter(accountId: string): Promise<() => void>;
  /** Places in use, and calls that wait for a place. */
  usage(): GateUsage;
}

export interface GateUsage {
  used: number;
  waiting: number;
}

interface Waiter {
  admit(): void;
}

export function createConnectionGate({
  places,
  accountMax,
  waitMaxMs,
  waitingMax,
  shares = [],
}: GateOptions): ConnectionGate {
  const usedByAccount = new Map<string, number>();
  // In the order of turns. An account that was served moves to the end.
  const waitersByAccount = new Map<string, Waiter[]>();
  let used = 0;
  let waiting = 0;
  let restEnd: { atMs: number; timer: NodeJS.Timeout } | undefined;

  const usedBy = (accountId: string): number => usedByAccount.get(accountId) ?? 0;
  const restOf = (accountId: string): number =>
    shares.reduce((restMs, share) => Math.max(restMs, share.restMs(accountId)), 0);
  const placesOf = (accountId: string): number =>
    shares.some((share) => share.isHeavy(accountId)) ? 1 : accountMax;
  /** `restMs` is the caller's, who waits for it if there is no place: a later reading may say that the rest has ended. */
  const hasPlace = (accountId: string, restMs: number): boolean =>
    restMs === 0 && used < places && usedBy(accountId) < placesOf(accountId);
  const busy = () =>
    commonErrors.service_busy({ retryAfterSeconds: Math.max(1, Math.ceil(waitMaxMs / 1000)) });

  function take(accountId: string): () => void {
    used += 1;
    usedByAccount.set(accountId, usedBy(accountId) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      used -= 1;
      const left = usedBy(accountId) - 1;
      if (left > 0) usedByAccount.set(accountId, left);
      else usedByAccount.delete(accountId);
      admitNext();
    };
  }

  function admitNext(): void {
    for (const [accountId, waiters] of waitersByAccount) {
      if (used >= places) return;
      const restMs = restOf(accountId);
      if (!hasPlace(accountId, restMs)) {
        awaitRest(restMs);
        continue;
      }
      waitersByAccount.delete(accountId);
      const next = waiters.shift()!;
      if (waiters.length > 0) waitersByAccount.set(accountId, waiters);
      next.admit();
    }
  }

  /** Calls `admitNext` at the end of the rest of a waiting account. One timer serves all of them: it has the earliest end. */
  function awaitRest(restMs: number): void {
    if (restMs === 0) return;
    const atMs = performance.now() + restMs;
    if (restEnd && restEnd.atMs <= atMs) return;
    clearTimeout(restEnd?.timer);
    const timer = setTimeout(() => {
      restEnd = undefined;
      admitNext();
    }, restMs);
    timer.unref();
    restEnd = { atMs, timer };
  }

  function leaveQueue(accountId: string, waiter: Waiter): void {
    const waiters = waitersByAccount.get(accountId)!.filter((other) => other !== waiter);
    if (waiters.length > 0) waitersByAccount.set(accountId, waiters);
    else waitersByAccount.delete(accountId);
  }

  function wait(accountId: string, restMs: number): Promise<() => void> {
    const waiters = waitersByAccount.get(accountId) ?? [];
    if (waiters.length >= waitingMax) throw busy();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit() {
          clearTimeout(timer);
          waiting -= 1;
          resolve(take(accountId));
        },
      };
      const timer = setTimeout(() => {
        waiting -= 1;
        leaveQueue(accountId, waiter);
        reject(busy());
      }, waitMaxMs);
      waiters.push(waiter);
      waitersByAccount.set(accountId, waiters);
      waiting += 1;
      awaitRest(restMs);
    });
  }

  return {
    async enter(accountId) {
      const restMs = restOf(accountId);
      const isFree = hasPlace(accountId, restMs) && !waitersByAccount.has(accountId);
      return isFree ? take(accountId) : wait(accountId, restMs);
    },
    usage: () => ({ used, waiting }),
  };
}

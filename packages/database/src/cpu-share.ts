// The CPU time of costly work of each account: conditions of rules, bulk calls. One thread serves all accounts, so an account that
// has used more than its share pauses.

export interface CpuShare {
  /** Records CPU time of the account. */
  charge(accountId: string, cpuMs: number): void;
  /** Milliseconds until the account may start new work; 0 for now. */
  restMs(accountId: string): number;
  /** True for an account with much recent CPU time. It runs one transaction at a time. */
  isHeavy(accountId: string): boolean;
}

/** The long-term share of the thread for one account. */
const share = 0.05;
/** CPU time beyond the share before the account pauses. */
const burstMs = 250;
/** The longest pause. It is shorter than the wait of a call, so that the next call after costly work is late, but not refused. */
const restMaxMs = 4000;
/** CPU time beyond the share from which an account runs one transaction at a time. */
const heavyMs = 80;
/** With more accounts than this, those without unpaid CPU time are removed. */
const rememberedMax = 1000;

interface Account {
  usedMs: number;
  atMs: number;
}

export function createCpuShare(nowMs: () => number = () => performance.now()): CpuShare {
  const accounts = new Map<string, Account>();

  /** The CPU time of an account minus its share of the time since then. */
  const unpaidMs = (accountId: string): number => {
    const account = accounts.get(accountId);
    return account ? Math.max(0, account.usedMs - (nowMs() - account.atMs) * share) : 0;
  };

  return {
    charge(accountId, cpuMs) {
      if (cpuMs <= 0) return;
      const usedMs = Math.min(unpaidMs(accountId) + cpuMs, burstMs + restMaxMs * share);
      accounts.set(accountId, { usedMs, atMs: nowMs() });
      if (accounts.size <= rememberedMax) return;
      for (const id of accounts.keys()) if (unpaidMs(id) === 0) accounts.delete(id);
    },
    restMs: (accountId) => Math.max(0, unpaidMs(accountId) - burstMs) / share,
    isHeavy: (accountId) => unpaidMs(accountId) > heavyMs,
  };
}

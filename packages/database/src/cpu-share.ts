// CPU of the process that the work of an account has taken beyond the usual: conditions of rules, bulk calls. One thread serves
// all accounts, so an account that has used much of it pauses, and the others hardly notice.

export interface CpuShare {
  /** Records CPU time that work of the account took. */
  charge(accountId: string, cpuMs: number): void;
  /** Milliseconds until the account may begin new work; 0 for at once. */
  restMs(accountId: string): number;
  /** The account has used much lately: its work runs one at a time. */
  isHeavy(accountId: string): boolean;
}

/** The share of the thread that an account may use in the long run. */
const share = 0.05;
/** CPU that it may use beyond its share before it pauses. */
const burstMs = 250;
/** The longest pause. It is shorter than a call waits, so that the next call of an honest account is only late. */
const restMaxMs = 4000;
/** CPU beyond its share from which its work runs one at a time. */
const heavyMs = 80;
/** Accounts that are remembered before those that have paid are looked for and forgotten. */
const rememberedMax = 1000;

interface Account {
  usedMs: number;
  atMs: number;
}

export function createCpuShare(nowMs: () => number = () => performance.now()): CpuShare {
  const accounts = new Map<string, Account>();

  /** What is left of the CPU time that an account used: its share of the time since then is paid. */
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

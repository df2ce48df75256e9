// The use of something that all accounts of a process share: its thread, or the time of statements in Postgres. An account that is
// alone may use all of it. When others use it too and it is scarce, an account that has used more than its share rests.

export type AccountShare = ReturnType<typeof createAccountShare>;

export interface ShareLimits {
  /** The share that each account always has in the long run. 0.05 is 50 ms of each second. */
  least: number;
  /** All accounts together. Each may use what the others leave of it. */
  together: number;
  /** Use beyond the share before the account rests. */
  burstMs: number;
  /** Use beyond the share from which an account is heavy. */
  heavyMs: number;
}

/** The thread of a process. */
export const threadLimits: ShareLimits = {
  least: 0.06,
  together: 0.08,
  burstMs: 150,
  heavyMs: 60,
};

/** The time of statements in Postgres, also that in which they wait for a lock: they occupy a connection. */
export const statementLimits: ShareLimits = {
  least: 0.1,
  together: 0.5,
  burstMs: 1000,
  heavyMs: 300,
};

/** The longest rest. It is shorter than the wait of a call, so that the next call after costly work is late, but not refused. */
const restMaxMs = 4000;
/** The time for which use counts when the share of another account is computed. */
const fadingMs = 5000;
/** An account is alone when the others together have used less than this. */
const noticeableMs = 0.5;
/** With more accounts than this, those without recent use are removed. */
const rememberedMax = 1000;

interface Account {
  /** Beyond the share, at `atMs`. */
  unpaidMs: number;
  recent: Recent;
  atMs: number;
}

/** Use that fades: after `fadingMs` a third of it is left. */
interface Recent {
  usedMs: number;
  atMs: number;
}

interface ShareOptions {
  readMs?: () => number;
  /** False while there is enough for all: no account rests. */
  isScarce?: () => boolean;
}

export function createAccountShare(
  { least, together, burstMs, heavyMs }: ShareLimits,
  { readMs = () => performance.now(), isScarce = () => true }: ShareOptions = {},
) {
  const accounts = new Map<string, Account>();
  const all: Recent = { usedMs: 0, atMs: readMs() };

  const othersMs = (account: Account, nowMs: number): number =>
    Math.max(0, faded(all, nowMs) - faded(account.recent, nowMs));

  const shareOf = (account: Account, nowMs: number): number =>
    Math.max(least, together - othersMs(account, nowMs) / fadingMs);

  /** No use is unpaid while the account is alone. */
  const unpaidMs = (account: Account, nowMs: number): number =>
    othersMs(account, nowMs) < noticeableMs
      ? 0
      : Math.max(0, account.unpaidMs - (nowMs - account.atMs) * shareOf(account, nowMs));

  return {
    /** Records use by the account, in milliseconds. */
    charge(accountId: string, usedMs: number): void {
      if (usedMs <= 0) return;
      const nowMs = readMs();
      const account = accounts.get(accountId) ?? newAccount(nowMs);
      const unpaid = unpaidMs(account, nowMs) + usedMs;
      add(account.recent, usedMs, nowMs);
      add(all, usedMs, nowMs);
      account.unpaidMs = Math.min(unpaid, burstMs + (isScarce() ? restMaxMs * shareOf(account, nowMs) : 0));
      account.atMs = nowMs;
      accounts.set(accountId, account);
      if (accounts.size <= rememberedMax) return;
      for (const [id, { recent }] of accounts) if (faded(recent, nowMs) < noticeableMs) accounts.delete(id);
    },
    /** Milliseconds until the account may start new work; 0 for now. */
    restMs(accountId: string): number {
      const account = accounts.get(accountId);
      if (!account || !isScarce()) return 0;
      const nowMs = readMs();
      const beyondMs = unpaidMs(account, nowMs) - burstMs;
      return beyondMs <= 0 ? 0 : Math.min(restMaxMs, beyondMs / shareOf(account, nowMs));
    },
    /** True for an account with much unpaid use. It runs one call and one transaction at a time. */
    isHeavy(accountId: string): boolean {
      const account = accounts.get(accountId);
      return account !== undefined && unpaidMs(account, readMs()) > heavyMs;
    },
    /** Use of the last seconds, in milliseconds. */
    recentMs(accountId: string): number {
      const account = accounts.get(accountId);
      return account ? faded(account.recent, readMs()) : 0;
    },
  };
}

const newAccount = (nowMs: number): Account => ({
  unpaidMs: 0,
  recent: { usedMs: 0, atMs: nowMs },
  atMs: nowMs,
});

const faded = ({ usedMs, atMs }: Recent, nowMs: number): number =>
  usedMs * Math.exp((atMs - nowMs) / fadingMs);

function add(recent: Recent, usedMs: number, nowMs: number): void {
  recent.usedMs = faded(recent, nowMs) + usedMs;
  recent.atMs = nowMs;
}

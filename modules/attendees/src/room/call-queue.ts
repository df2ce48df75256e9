// The queue of attendees' calls. A batch is one transaction of one account, so that accounts never wait for each other's row
// locks. Accounts take turns, and each has a limited number of concurrent batches. Accounts whose batches recently waited in vain
// for a lock share a few places, so the other places stay free for other accounts.
import { LRUCache } from 'lru-cache';
import { attendeeErrors } from '../errors.ts';
import { attendeeKey, createLine, type Line, type LineEntry } from './attendee-line.ts';
import type { CallResult } from './run-calls.ts';

/** A result, or another try. If the call has already waited too long, it is answered with `error`, by default room_busy. */
export type Outcome = CallResult | { again: 'later' | 'alone'; error?: unknown };

export interface BatchOutcome {
  /** In the order of the entries. */
  outcomes: readonly Outcome[];
  /** The transaction waited in vain for a lock and was rolled back. */
  isLockRefused: boolean;
}

interface QueueOptions {
  /** Runs a batch of one account. Must not throw. */
  run(batch: readonly LineEntry[]): Promise<BatchOutcome>;
  /** The first call of a batch waits this long for others. */
  gatherMs: number;
  /** Calls in one batch. */
  batchMax: number;
  /** Concurrent batches. */
  batchesMax: number;
  /** Concurrent batches of one account. */
  accountBatchesMax: number;
  /** Concurrent batches of all accounts whose batches recently waited in vain for a lock. */
  refusedBatchesMax: number;
  /** Limit of unanswered calls. */
  callsMax: number;
  accountCallsMax: number;
  /** A call that has waited this long is refused. */
  waitMaxMs: number;
}

export interface CallQueue {
  /** Returns false if too many calls of the process, the account or the attendee are unanswered. */
  add(entry: LineEntry): boolean;
  /** Waits until all calls are answered. */
  drain(): Promise<void>;
}

interface Account {
  id: string;
  /** Attendees with unanswered calls. */
  lines: Map<string, Line>;
  /** Attendees whose calls can be taken now, in turn. */
  ready: Set<Line>;
  /** Attendees whose next call runs alone in its batch. One such batch runs at a time. */
  aloneReady: Set<Line>;
  isAloneRunning: boolean;
  calls: number;
  running: number;
  timer: NodeJS.Timeout | undefined;
}

interface Taken {
  line: Line;
  entry: LineEntry;
}

/** Time and number of accounts for which a refused lock is remembered. */
const refusedForMs = 5000;
const refusedMax = 10_000;
/** First wait before a locked row is tried again. Each later wait is twice as long. */
const retryMinMs = 20;
const retryMaxMs = 250;

const retryAfterSeconds = 2;

export function createCallQueue(options: QueueOptions): CallQueue {
  const accounts = new Map<string, Account>();
  /** Accounts that can have a batch now, in turn. */
  const due = new Set<Account>();
  // `max` would reserve the memory of all entries at once.
  const refused = new LRUCache<string, true>({
    maxSize: refusedMax,
    sizeCalculation: () => 1,
    ttl: refusedForMs,
  });
  let calls = 0;
  let running = 0;
  let refusedRunning = 0;
  let drained: (() => void) | undefined;

  const startBatches = (): void => {
    for (const account of due) {
      if (running >= options.batchesMax) return;
      const lines = startable(account);
      if (!lines) continue;
      due.delete(account);
      const batch = takeBatch(account, lines);
      if (batch.length > 0) void runBatch(account, batch);
      // Adds the account behind the others. A for-of loop over a Set also visits values that are added during the loop.
      if (account.ready.size + account.aloneReady.size > 0) due.add(account);
    }
  };

  /** The attendees whose calls can form the next batch of an account. Undefined if it must wait. */
  const startable = ({ id, ready, aloneReady, isAloneRunning, running }: Account): Set<Line> | undefined => {
    const isRefused = refused.has(id);
    if (isRefused && refusedRunning >= options.refusedBatchesMax) return undefined;
    if (aloneReady.size > 0 && !isAloneRunning) return aloneReady;
    const runningTogether = isAloneRunning ? running - 1 : running;
    const togetherMax = isRefused ? 1 : options.accountBatchesMax;
    return ready.size > 0 && runningTogether < togetherMax ? ready : undefined;
  };

  const makeReady = (account: Account, line: Line): void => {
    addReady(account, line);
    if (line.isNextAlone() || account.ready.size >= options.batchMax) {
      due.add(account);
      startBatches();
    } else account.timer ??= setTimeout(() => endGathering(account), options.gatherMs);
  };

  const endGathering = (account: Account): void => {
    account.timer = undefined;
    if (account.ready.size > 0) due.add(account);
    startBatches();
  };

  const answer = (account: Account, { line, entry }: Taken, result: CallResult): void => {
    calls -= entry.settles.length;
    account.calls -= entry.settles.length;
    line.finish(entry);
    for (const settle of entry.settles) settle(result);
    if (calls === 0) drained?.();
  };

  /** Answers a call that has waited too long. Returns false if it can wait longer. */
  const giveUp = (account: Account, taken: Taken, error?: unknown): boolean => {
    if (performance.now() - taken.entry.waitsSinceMs < options.waitMaxMs) return false;
    answer(account, taken, { ok: false, error: error ?? attendeeErrors.room_busy({ retryAfterSeconds }) });
    return true;
  };

  /** Takes calls, attendee by attendee. */
  const takeBatch = (account: Account, lines: Set<Line>): Taken[] => {
    const batch: Taken[] = [];
    const batchMax = lines === account.aloneReady ? 1 : options.batchMax;
    for (const line of lines) {
      if (batch.length >= batchMax) break;
      const own = line.take(batchMax - batch.length).map((entry) => ({ line, entry }));
      const inTime = own.filter((taken) => !giveUp(account, taken));
      lines.delete(line);
      batch.push(...inTime);
      if (inTime.length > 0) line.isBusy = true;
      else if (line.isEmpty()) forget(account, line);
      else addReady(account, line);
    }
    return batch;
  };

  const runBatch = async (account: Account, batch: readonly Taken[]): Promise<void> => {
    const wasRefused = refused.has(account.id);
    const isAlone = batch[0]!.entry.isAlone;
    running += 1;
    account.running += 1;
    if (wasRefused) refusedRunning += 1;
    if (isAlone) account.isAloneRunning = true;
    const { outcomes, isLockRefused } = await options.run(batch.map(({ entry }) => entry));
    running -= 1;
    account.running -= 1;
    if (wasRefused) refusedRunning -= 1;
    if (isAlone) account.isAloneRunning = false;
    if (isLockRefused) refused.set(account.id, true);
    const ended = batch.map((taken, index) => ({ ...taken, outcome: outcomes[index]! }));
    for (const [line, own] of Map.groupBy(ended, (one) => one.line)) endTurn(account, line, own);
    startBatches();
  };

  /** Answers finished calls. Calls that are tried again stay before the later calls of the attendee. */
  const endTurn = (account: Account, line: Line, ended: readonly (Taken & { outcome: Outcome })[]): void => {
    const again: LineEntry[] = [];
    let isLocked = false;
    for (const { entry, outcome } of ended) {
      if (!('again' in outcome)) answer(account, { line, entry }, outcome);
      else if (!giveUp(account, { line, entry }, outcome.error)) {
        entry.isAlone ||= outcome.again === 'alone';
        isLocked ||= outcome.again === 'later';
        again.push(entry);
      }
    }
    line.putBack(again);
    line.lockedRounds = isLocked ? line.lockedRounds + 1 : 0;
    if (!isLocked) return release(account, line);
    const waitMs = Math.min(retryMinMs * 2 ** (line.lockedRounds - 1), retryMaxMs);
    setTimeout(() => release(account, line), waitMs);
  };

  const release = (account: Account, line: Line): void => {
    line.isBusy = false;
    if (line.isEmpty()) forget(account, line);
    else makeReady(account, line);
  };

  const forget = (account: Account, line: Line): void => {
    account.lines.delete(line.key);
    if (account.lines.size > 0) return;
    clearTimeout(account.timer);
    due.delete(account);
    accounts.delete(account.id);
  };

  return {
    add(entry) {
      const { token } = entry.call;
      const account = accounts.get(token.accountId) ?? createAccount(token.accountId);
      if (calls >= options.callsMax || account.calls >= options.accountCallsMax) return false;
      const key = attendeeKey(token);
      const line = account.lines.get(key) ?? createLine(key);
      if (!line.add(entry)) return false;
      accounts.set(account.id, account);
      account.lines.set(key, line);
      calls += 1;
      account.calls += 1;
      if (!line.isBusy) makeReady(account, line);
      return true;
    },
    async drain() {
      if (calls === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = resolve;
      await promise;
    },
  };
}

const addReady = ({ ready, aloneReady }: Account, line: Line): void =>
  void (line.isNextAlone() ? aloneReady : ready).add(line);

const createAccount = (id: string): Account => ({
  id,
  lines: new Map(),
  ready: new Set(),
  aloneReady: new Set(),
  isAloneRunning: false,
  calls: 0,
  running: 0,
  timer: undefined,
});

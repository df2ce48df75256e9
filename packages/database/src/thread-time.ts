// The account that pays for the time of the thread. The thread works for one account after the other: a result of a statement arrives, and
// everything up to the next result runs in one go. So an account is named where its work begins, and it pays until another one is
// named, or until the thread takes its next work from the event loop. Nothing has to be measured where the work is done.
import { performance } from 'node:perf_hooks';

/** CPU time of this thread, in milliseconds. The clock would also count other programs of the machine. Node before 23.9 has only that of all threads. */
export function threadCpuMs(): number {
  const { user, system } = readUsage();
  return (user + system) / 1000;
}

/**
 * Time in which this thread had nothing to do, in milliseconds. While it works it reads no answers of Postgres, so the clock would count
 * its own delays as time of a statement.
 */
export const threadIdleMs = (): number => performance.nodeTiming.idleTime;

/** The shortest time over which the work of the thread is measured. */
const measuredMs = 250;
/** The thread is scarce when it has worked for more than this part of the time. */
const threadScarceFrom = 0.5;

/**
 * Returns a function that is true while the thread is scarce. While the thread has time, calls of one account hardly delay others, and an
 * ordinary account must not rest because the machine is slow or the process has just started.
 */
export function createScarcity(
  scarceFrom: number = threadScarceFrom,
  {
    readMs = () => performance.now(),
    readIdleMs = threadIdleMs,
  }: Partial<Record<'readMs' | 'readIdleMs', () => number>> = {},
): () => boolean {
  let [lastMs, lastIdleMs] = [readMs(), readIdleMs()];
  let isScarce = scarceFrom === 0;
  return () => {
    const nowMs = readMs();
    if (nowMs - lastMs < measuredMs) return isScarce;
    const idleMs = readIdleMs();
    isScarce = idleMs - lastIdleMs <= (1 - scarceFrom) * (nowMs - lastMs);
    [lastMs, lastIdleMs] = [nowMs, idleMs];
    return isScarce;
  };
}

const readUsage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** Pays for CPU time of the thread, in milliseconds. */
export interface Payer {
  charge(usedMs: number): void;
}

/**
 * Shorter work is measured with the clock: a call consists of ten pieces of work, and reading the CPU time takes longer than some of
 * them. Another program cannot have interrupted it for longer than this.
 */
const shortMs = 1;
/**
 * Work of this length counts in full, in milliseconds, and shorter work in proportion to its length: it delays other accounts by its
 * length at most. With a limit below which all work counts little, an ordinary account would rest on a machine that is half as fast,
 * because the same pieces of its calls are above the limit there.
 */
const fullMs = 4;
/**
 * The least that work counts. If short work counted in full, 50 calls a second beside a busy account would wait for seconds on a thread
 * that is mostly idle.
 */
const leastWeight = 0.25;

/** The part that counts of work of this length, from 0 to 1. */
export const weightOf = (workMs: number): number => Math.min(1, Math.max(leastWeight, workMs / fullMs));

let payer: Payer | undefined;
let sinceMs = 0;
/** CPU time when it was read last, and what was charged since then. */
let readAtCpuMs = threadCpuMs();
let chargedMs = 0;
let endsAtTurn = false;

/** Milliseconds that the payer has used since `sinceMs`. */
function usedUntil(nowMs: number): number {
  const tookMs = nowMs - sinceMs;
  if (tookMs < shortMs) {
    chargedMs += tookMs;
    return tookMs * weightOf(tookMs);
  }
  const cpuMs = threadCpuMs();
  const usedMs = Math.min(tookMs, Math.max(0, cpuMs - readAtCpuMs - chargedMs));
  readAtCpuMs = cpuMs;
  chargedMs = 0;
  return usedMs * weightOf(usedMs);
}

/** The thread works for this account from now on; undefined for none. */
export function workFor(next: Payer | undefined): void {
  if (next === payer) return;
  const nowMs = performance.now();
  payer?.charge(usedUntil(nowMs));
  payer = next;
  sinceMs = nowMs;
  if (next === undefined || endsAtTurn) return;
  endsAtTurn = true;
  // Runs as soon as what is ready now has run, before the thread waits.
  setImmediate(endTurn);
}

function endTurn(): void {
  endsAtTurn = false;
  workFor(undefined);
}

/** For whom the thread works. Work that waits outside of the database names it again afterwards. */
export const currentPayer = (): Payer | undefined => payer;

/** A caller whose account is not known yet. */
class UnknownPayer implements Payer {
  usedMs = 0;
  charge(usedMs: number): void {
    this.usedMs += usedMs;
  }
}

/** The thread works for a new request from now on. `workForCaller` charges its account for it. */
export const workForRequest = (): void => workFor(new UnknownPayer());

/** The thread works for this account from now on, which also pays for what `caller` has used until its account was known. */
export function workForCaller(account: Payer, caller: Payer | undefined): void {
  workFor(account);
  if (caller instanceof UnknownPayer) account.charge(caller.usedMs);
}

import { setTimeout as delay } from 'node:timers/promises';

interface RepeaterOptions {
  /**
   * The period, in milliseconds. The first run starts at once, the others at its multiples; after a longer run the next one starts at once. So
   * repeaters whose work asks the database something can ask together, and wake an idle process once.
   */
  everyMs: number;
  /** The signal aborts when the repeater stops. */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Called after a run that succeeded. The next run starts when the promise resolves instead of at the next multiple; it must not reject.
   * Undefined: at the next multiple.
   */
  untilWork?: UntilWork | undefined;
  /** Receives the error of a failed run. An error with the same message is reported again only after a successful run. */
  onFailure(error: unknown): void;
  /** The time for `lastSuccessAt`, as an argument for tests. */
  now?: () => Date;
}

/** Undefined if there may be work now. Otherwise resolves when there may be some. */
export type UntilWork = () => Promise<void> | undefined;

export interface Repeater {
  start(): void;
  /** Starts the next run now if the repeater waits for work. */
  wake(): void;
  /** Starts no further run, and resolves when the present one has ended. */
  stop(): Promise<void>;
  /** The end of the last run that succeeded. Before the first one: the time at which the repeater was created. */
  lastSuccessAt(): Date;
}

/** The longest wait after a failed run, unless runs are further apart. */
const backoffMaxMs = 10_000;

/** A timer may fire this much before its time. */
export const timerErrorMs = 5;

/** The next multiple of a period, by `performance.now()`. After one that has almost come, it is the one after that. */
export function nextMultipleMs(everyMs: number, nowMs = performance.now()): number {
  const errorMs = Math.min(timerErrorMs, everyMs / 2);
  return (Math.floor((nowMs + errorMs) / everyMs) + 1) * everyMs;
}

/** Runs work at once and then at every multiple of its period, one run at a time. After a failed run the wait doubles with each further failure. */
export function createRepeater({
  everyMs,
  run,
  untilWork,
  onFailure,
  now = () => new Date(),
}: RepeaterOptions): Repeater {
  const stopping = new AbortController();
  const { signal } = stopping;
  let endWait = (): void => undefined;
  const failures = createFailureFilter(onFailure);
  let successAt = now();
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<boolean> {
    try {
      await run(signal);
      successAt = now();
      failures.succeeded();
      return true;
    } catch (error) {
      failures.failed(error);
      return false;
    }
  }

  async function runUntilStopped(): Promise<void> {
    let failed = 0;
    while (!signal.aborted) {
      const startedAt = now();
      failed = (await runOnce()) ? 0 : failed + 1;
      const tookMs = Math.max(0, now().getTime() - startedAt.getTime());
      const work = failed === 0 ? untilWork?.() : undefined;
      if (work) await untilStoppedOr(work);
      else if (failed === 0 && tookMs < everyMs) await waitUntil(nextMultipleMs(everyMs), signal);
      else await delay(failed === 0 ? 0 : backoffMs(failed), undefined, { signal }).catch(() => undefined);
    }
  }

  async function untilStoppedOr(work: Promise<void>): Promise<void> {
    if (signal.aborted) return;
    const wait = Promise.withResolvers<void>();
    endWait = wait.resolve;
    void work.then(wait.resolve);
    await wait.promise;
  }

  const backoffMs = (failed: number): number =>
    Math.max(everyMs, Math.min(everyMs * 2 ** failed, backoffMaxMs));

  return {
    start: () => void (running ??= runUntilStopped()),
    wake: () => endWait(),
    async stop() {
      stopping.abort();
      endWait();
      await running;
    },
    lastSuccessAt: () => successAt,
  };
}

interface Moment {
  timer: NodeJS.Timeout;
  /** Each ends the wait of one repeater. */
  ends: Set<() => void>;
}

/** By `performance.now()`. Repeaters that wait for the same moment share a timer, and their runs begin in one turn of the event loop. */
const moments = new Map<number, Moment>();

/** Resolves at a moment, or when the signal aborts. */
async function waitUntil(atMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const moment = moments.get(atMs) ?? createMoment(atMs);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      moment.ends.delete(end);
      if (moment.ends.size === 0) {
        clearTimeout(moment.timer);
        moments.delete(atMs);
      }
      resolve();
    };
    moment.ends.add(end);
    signal.addEventListener('abort', end);
  });
}

function createMoment(atMs: number): Moment {
  const ends: Moment['ends'] = new Set();
  const endAll = (): void => ends.forEach((end) => end());
  const moment = { timer: setTimeout(endAll, Math.max(0, atMs - performance.now())), ends };
  moments.set(atMs, moment);
  return moment;
}

interface FailureFilter {
  /** Reports an error unless one with the same message has been reported since the last success. */
  failed(error: unknown): void;
  /** Forgets the reported messages. */
  succeeded(): void;
}

const messagesMax = 100;

/** Reports work that fails every second once, as long as its message stays the same. */
export function createFailureFilter(report: (error: unknown) => void): FailureFilter {
  const reported = new Set<string>();
  return {
    failed(error) {
      const message = error instanceof Error ? error.message : String(error);
      if (reported.has(message)) return;
      if (reported.size === messagesMax) reported.clear();
      reported.add(message);
      report(error);
    },
    succeeded: () => reported.clear(),
  };
}

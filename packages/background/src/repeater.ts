import { setTimeout as delay } from 'node:timers/promises';

interface RepeaterOptions {
  /** From the start of one run to the start of the next, in milliseconds. A run that takes longer delays the next one. */
  everyMs: number;
  /** The signal aborts when the repeater stops. */
  run(signal: AbortSignal): Promise<void>;
  /** Receives the error of a failed run. An error with the same message is reported again only after a successful run. */
  onFailure(error: unknown): void;
  /** The time for `lastSuccessAt`, as an argument for tests. */
  now?: () => Date;
}

export interface Repeater {
  start(): void;
  /** Starts no further run, and resolves when the present one has ended. */
  stop(): Promise<void>;
  /** The end of the last run that succeeded. Before the first one: the time at which the repeater was created. */
  lastSuccessAt(): Date;
}

/** The longest wait after a failed run, unless runs are further apart. */
const backoffMaxMs = 10_000;

/** Runs work at once and then regularly, one run at a time. After a failed run the wait doubles with each further failure. */
export function createRepeater({
  everyMs,
  run,
  onFailure,
  now = () => new Date(),
}: RepeaterOptions): Repeater {
  const stopping = new AbortController();
  const { signal } = stopping;
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
      const backoffMs = Math.max(everyMs, Math.min(everyMs * 2 ** failed, backoffMaxMs));
      const waitMs = failed > 0 ? backoffMs : Math.max(0, everyMs - tookMs);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start: () => void (running ??= runUntilStopped()),
    async stop() {
      stopping.abort();
      await running;
    },
    lastSuccessAt: () => successAt,
  };
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

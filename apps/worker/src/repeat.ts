import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@service/log';
import { createFailureLog } from './repeat-failures.ts';

export interface Repeat {
  /** How it is called when it stands still. */
  name: string;
  start(): void;
  /** Resolves when the run that is under way has ended; no other one begins. */
  stop(): Promise<void>;
  /** When a run last went well; before the first one, when it was made. */
  lastProgressAt(): Date;
}

export interface RepeatOptions {
  name: string;
  /** From the start of one run to the start of the next, which waits for the end of the first. */
  everyMs: number;
  /** The signal aborts when it should come to an end. */
  run(signal: AbortSignal): Promise<void>;
  log: Log;
  now?: () => Date;
}

const pauseMaxMs = 10_000;

/** Does something again and again, every second or so. What fails is tried again, after a pause that grows. */
export function createRepeat({ name, everyMs, run, log, now = () => new Date() }: RepeatOptions): Repeat {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failureLog = createFailureLog(log, `The ${name} failed and is tried again`);
  let progressAt = now();
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<boolean> {
    try {
      await run(signal);
      progressAt = now();
      failureLog.forget();
      return true;
    } catch (error) {
      failureLog.record(error);
      return false;
    }
  }

  async function keepRunning(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = now();
      failures = (await runOnce()) ? 0 : failures + 1;
      const tookMs = Math.max(0, now().getTime() - startedAt.getTime());
      const restMs = Math.max(0, everyMs - tookMs);
      const waitMs = failures === 0 ? restMs : Math.min(everyMs * 2 ** failures, pauseMaxMs);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    name,
    start: () => void (running ??= keepRunning()),
    async stop() {
      stopping.abort();
      await running;
    },
    lastProgressAt: () => progressAt,
  };
}

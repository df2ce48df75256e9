import { createRepeater } from '@service/background';
import type { findSchemaProblem } from '@service/database';
import type { Log } from '@service/log';

interface WorkingOptions<Work> {
  findProblem: () => ReturnType<typeof findSchemaProblem>;
  start: () => Promise<Work>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** The period of the search for a problem. */
  everyMs?: number;
}

/** Work that can be stopped and started again. */
interface KeptWork<Work> {
  /** Undefined while work is stopped: the schema has a problem, or the last start failed. */
  current: () => Work | undefined;
  /** Settles when the work has ended by itself. */
  ended: Promise<void>;
  /** Begins, unless there is a problem with the schema. Throws when the database cannot be reached. */
  start(): Promise<void>;
  /** Resolves when the work has stopped. */
  stop(): Promise<void>;
}

/**
 * Stops the work of this process while migrations are pending, and when a later version has migrated the database and does not allow this
 * version beside it: this version would change rows that it does not understand. Starts it again when the problem is gone.
 */
export function keepWorking<Work extends { stop(): Promise<void>; ended: Promise<void> }>({
  findProblem,
  start,
  log,
  everyMs = 5000,
}: WorkingOptions<Work>): KeptWork<Work> {
  const ended = Promise.withResolvers<void>();
  /** Work that is being stopped, or could not be, is none: it ends without a word, and new work may start. */
  let work: Work | undefined;
  let loggedProblem: string | undefined;

  const stopWork = async (): Promise<void> => {
    const stopped = work;
    work = undefined;
    await stopped?.stop();
  };

  const check = async (stopping?: AbortSignal): Promise<void> => {
    const problem = (await findProblem())?.status;
    if (problem !== undefined) {
      if (problem !== loggedProblem) log.warn(`Work is stopped: ${problem}`);
      loggedProblem = problem;
      return stopWork();
    }
    if (work || stopping?.aborted) return;
    const started = await start();
    work = started;
    started.ended.then(
      () => void (work === started && ended.resolve()),
      (error: unknown) => void (work === started && ended.reject(error)),
    );
    if (loggedProblem !== undefined) log.info('Work goes on');
    loggedProblem = undefined;
  };
  const repeater = createRepeater({
    everyMs,
    run: check,
    onFailure: (error) =>
      log.error({ err: error }, 'The check of the schema or the start of work failed and is tried again'),
  });

  return {
    current: () => work,
    ended: ended.promise,
    async start() {
      await check();
      repeater.start();
    },
    async stop() {
      const repeaterStopped = repeater.stop();
      try {
        // A check may wait for a slow database. What is in flight must not wait for it.
        await stopWork();
      } finally {
        await repeaterStopped;
        // The check may have been starting work.
        await stopWork();
      }
    },
  };
}

import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '@service/log';
import { expect, test } from 'vitest';
import { createRepeat } from './repeat.ts';

/** Something that is repeated, whose runs a test ends. */
function repeated({ everyMs = 1 } = {}) {
  const runs: PromiseWithResolvers<void>[] = [];
  const logged: string[] = [];
  const log = { error: ({ err }: { err: Error }) => void logged.push(err.message) } as unknown as Log;
  let [time, signal] = [0, undefined as AbortSignal | undefined];
  const repeat = createRepeat({
    name: 'test',
    everyMs,
    run(itsSignal) {
      signal = itsSignal;
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    log,
    now: () => new Date(time),
  });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await turn();
  };
  return {
    repeat,
    runs,
    logged,
    signal: () => signal!,
    setTime: (to: number) => (time = to),
    until,
    untilRun: (number: number) => until(() => runs.length === number),
  };
}

/** As long as something takes that is repeated as fast, that often. */
async function timesOf(times: number): Promise<void> {
  const { repeat, runs, untilRun } = repeated();
  repeat.start();
  for (let number = 1; number <= times; number += 1) {
    await untilRun(number);
    runs[number - 1]!.resolve();
  }
  await repeat.stop();
}

test('it runs again and again, and one run waits for the end of the other', async () => {
  const { repeat, runs, untilRun } = repeated();
  repeat.start();
  repeat.start();
  await untilRun(1);
  await timesOf(20);
  expect(runs).toHaveLength(1);
  runs[0]!.resolve();
  await untilRun(2);
  runs[1]!.resolve();
  await untilRun(3);
  const stopped = repeat.stop();
  runs[2]!.resolve();
  await stopped;
});

test('stopping waits for the run that is under way, tells it, and begins no other', async () => {
  const { repeat, runs, signal, untilRun } = repeated();
  repeat.start();
  await untilRun(1);
  let isStopped = false;
  const stopped = repeat.stop().then(() => (isStopped = true));
  expect(signal().aborted).toBe(true);
  await turn();
  expect(isStopped).toBe(false);
  runs[0]!.resolve();
  await stopped;
  expect(runs).toHaveLength(1);
});

test('one that waits for its next run stops at once, and one that was never started as well', async () => {
  const { repeat, runs, until, untilRun, setTime } = repeated({ everyMs: 3_600_000 });
  repeat.start();
  await untilRun(1);
  setTime(1);
  runs[0]!.resolve();
  await until(() => repeat.lastProgressAt().getTime() === 1);
  await repeat.stop();
  await repeated().repeat.stop();
});

test('the next run begins at once after one that took longer than the time between them', async () => {
  const { repeat, runs, untilRun, setTime } = repeated({ everyMs: 3_600_000 });
  repeat.start();
  await untilRun(1);
  setTime(3_600_001);
  runs[0]!.resolve();
  await untilRun(2);
  const stopped = repeat.stop();
  runs[1]!.resolve();
  await stopped;
});

test('what fails goes on, is logged once while it says the same, and is no progress', async () => {
  const { repeat, runs, logged, untilRun, setTime } = repeated();
  repeat.start();
  const endings = ['one', 'one', 'two', undefined, 'one'];
  for (const [index, message] of endings.entries()) {
    await untilRun(index + 1);
    setTime(index + 1);
    if (message === undefined) runs[index]!.resolve();
    else runs[index]!.reject(new Error(message));
  }
  await untilRun(6);
  expect(logged).toEqual(['one', 'two', 'one']);
  expect(repeat.lastProgressAt()).toEqual(new Date(4));
  const stopped = repeat.stop();
  runs[5]!.resolve();
  await stopped;
});

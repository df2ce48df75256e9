import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRepeater, nextMultipleMs, type UntilWork } from './repeater.ts';

/** A repeater of runs that the test ends. */
function repeaterOf({ everyMs = 1, untilWork }: { everyMs?: number; untilWork?: UntilWork } = {}) {
  const runs: PromiseWithResolvers<void>[] = [];
  const reported: string[] = [];
  let [time, signal] = [0, undefined as AbortSignal | undefined];
  const repeater = createRepeater({
    everyMs,
    untilWork,
    run(itsSignal) {
      signal = itsSignal;
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    onFailure: (error) => void reported.push((error as Error).message),
    now: () => new Date(time),
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await nextTurn();
  };
  return {
    repeater,
    runs,
    reported,
    signal: () => signal!,
    setTime: (to: number) => (time = to),
    until,
    untilRun: (number: number) => until(() => runs.length === number),
  };
}

/** Resolves when another repeater of the same interval has run a number of times. */
async function timesOf(times: number): Promise<void> {
  const { repeater, runs, untilRun } = repeaterOf();
  repeater.start();
  for (let number = 1; number <= times; number += 1) {
    await untilRun(number);
    runs[number - 1]!.resolve();
  }
  await repeater.stop();
}

test('runs repeat, and each one starts after the end of the one before', async () => {
  const { repeater, runs, untilRun } = repeaterOf();
  repeater.start();
  repeater.start();
  await untilRun(1);
  await timesOf(20);
  expect(runs).toHaveLength(1);
  runs[0]!.resolve();
  await untilRun(2);
  runs[1]!.resolve();
  await untilRun(3);
  const stopped = repeater.stop();
  runs[2]!.resolve();
  await stopped;
});

test('a stop aborts the signal of the present run, waits for its end and starts no further run', async () => {
  const { repeater, runs, signal, untilRun } = repeaterOf();
  repeater.start();
  await untilRun(1);
  let isStopped = false;
  const stopped = repeater.stop().then(() => (isStopped = true));
  expect(signal().aborted).toBe(true);
  await nextTurn();
  expect(isStopped).toBe(false);
  runs[0]!.resolve();
  await stopped;
  expect(runs).toHaveLength(1);
});

test('a repeater stops at once between two runs and before it was started', async () => {
  const { repeater, runs, until, untilRun, setTime } = repeaterOf({ everyMs: 3_600_000 });
  repeater.start();
  await untilRun(1);
  setTime(1);
  runs[0]!.resolve();
  await until(() => repeater.lastSuccessAt().getTime() === 1);
  await repeater.stop();
  await repeaterOf().repeater.stop();
});

test('the next run starts at once after a run that took longer than the interval', async () => {
  const { repeater, runs, untilRun, setTime } = repeaterOf({ everyMs: 3_600_000 });
  repeater.start();
  await untilRun(1);
  setTime(3_600_001);
  runs[0]!.resolve();
  await untilRun(2);
  const stopped = repeater.stop();
  runs[1]!.resolve();
  await stopped;
});

test('periods that fit into each other have their multiples in common, also when a timer fires early', () => {
  expect([250, 500, 1000].map((everyMs) => nextMultipleMs(everyMs, 1760))).toEqual([2000, 2000, 2000]);
  expect([250, 500, 1000].map((everyMs) => nextMultipleMs(everyMs, 1999.2))).toEqual([2250, 2500, 3000]);
  expect(nextMultipleMs(1, 7.2)).toBe(8);
});

test('repeaters with the same period run in the same turns of the event loop, whenever they were started', async () => {
  const [one, other] = [repeaterOf({ everyMs: 100 }), repeaterOf({ everyMs: 100 })];
  const endAll = () => [one, other].forEach(({ runs }) => runs.forEach(({ resolve }) => resolve()));
  one.repeater.start();
  await timesOf(5);
  other.repeater.start();
  endAll();
  for (let round = 2; round < 5; round += 1) {
    await Promise.race([one.untilRun(round), other.untilRun(round)]);
    expect([one.runs.length, other.runs.length]).toEqual([round, round]);
    endAll();
  }
  await Promise.all([one.repeater.stop(), other.repeater.stop()]);
});

test('failed runs are repeated, reported once for each message until a run succeeds, and do not count as a success', async () => {
  const { repeater, runs, reported, untilRun, setTime } = repeaterOf();
  repeater.start();
  const endings = ['one', 'one', 'two', undefined, 'one'];
  for (const [index, message] of endings.entries()) {
    await untilRun(index + 1);
    setTime(index + 1);
    if (message === undefined) runs[index]!.resolve();
    else runs[index]!.reject(new Error(message));
  }
  await untilRun(6);
  expect(reported).toEqual(['one', 'two', 'one']);
  expect(repeater.lastSuccessAt()).toEqual(new Date(4));
  const stopped = repeater.stop();
  runs[5]!.resolve();
  await stopped;
});

test('while there is no work, the next run starts when there may be some or when it is woken', async () => {
  const waits: PromiseWithResolvers<void>[] = [];
  const untilWork = (): Promise<void> => {
    waits.push(Promise.withResolvers<void>());
    return waits.at(-1)!.promise;
  };
  const { repeater, runs, until, untilRun } = repeaterOf({ untilWork });
  repeater.start();
  await untilRun(1);
  runs[0]!.resolve();
  await until(() => waits.length === 1);
  await timesOf(20);
  expect(runs).toHaveLength(1);
  waits[0]!.resolve();
  await untilRun(2);
  runs[1]!.resolve();
  await until(() => waits.length === 2);
  repeater.wake();
  await untilRun(3);
  runs[2]!.resolve();
  await until(() => waits.length === 3);
  await repeater.stop();
  expect(runs).toHaveLength(3);
});

import type { RepeatedWork } from '@service/module';
import type { Log } from '@service/log';
import { expect, test, vi } from 'vitest';
import { createNamedRepeater } from './named-repeater.ts';

/** Repeats work each millisecond. `isAgreed` decides whether its clocks agree. */
function repeat(run: RepeatedWork['run'], isAgreed = () => true) {
  const logged: string[] = [];
  const log = { error: ({ err }: { err: Error }) => void logged.push(err.message) } as unknown as Log;
  const repeater = createNamedRepeater(
    { name: 'session_clock', everyMs: 1, run },
    {
      clocks: { readNow: async () => (isAgreed() ? new Date(0) : undefined) },
      log: { child: () => log } as unknown as Log,
    },
  );
  repeater.start();
  return { logged, [Symbol.asyncDispose]: () => repeater.stop(), name: repeater.name };
}

test('work gets the time of the database, and does not run while the clocks disagree', async () => {
  let [isAgreed, checks] = [false, 0];
  const times: Date[] = [];
  const check = () => {
    checks += 1;
    return isAgreed;
  };
  await using repeater = repeat(async (now) => void times.push(now), check);
  await vi.waitFor(() => expect(checks).toBeGreaterThan(3));
  expect(times).toEqual([]);
  isAgreed = true;
  await vi.waitFor(() => expect(times[0]).toEqual(new Date(0)));
  expect(repeater.name).toBe('session clock');
});

test('a part that fails again and again is logged once, and again after a run without failures', async () => {
  let runs = 0;
  let isWell = false;
  await using repeater = repeat(async (_now, { onFailure }) => {
    runs += 1;
    if (!isWell) onFailure(new Error('one account'));
  });
  const runsMore = async () => {
    const before = runs;
    await vi.waitFor(() => expect(runs).toBeGreaterThan(before + 2));
  };
  await runsMore();
  expect(repeater.logged).toEqual(['one account']);
  isWell = true;
  await runsMore();
  isWell = false;
  await runsMore();
  expect(repeater.logged).toEqual(['one account', 'one account']);
});

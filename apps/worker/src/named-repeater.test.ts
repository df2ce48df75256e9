import type { RepeatedWork } from '@service/module';
import type { Log } from '@service/log';
import { expect, test, vi } from 'vitest';
import { createNamedRepeater } from './named-repeater.ts';

/** Repeats work each millisecond. `isAgreed` decides whether its clocks agree, and `mayFind` whether a round may find something. */
function repeat(
  run: RepeatedWork['run'],
  {
    isAgreed = () => true,
    mayFind = () => true,
  }: { isAgreed?: () => boolean; mayFind?: (work: string) => boolean } = {},
) {
  const logged: string[] = [];
  const log = { error: ({ err }: { err: Error }) => void logged.push(err.message) } as unknown as Log;
  const repeater = createNamedRepeater(
    { name: 'session_clock', everyMs: 1, run },
    {
      clocks: {
        readNow: async () => (isAgreed() ? { now: new Date(0), aheadMs: 0, errorMs: 0, mayFind } : undefined),
      },
      log: { child: () => log } as unknown as Log,
    },
  );
  repeater.start();
  return { ...repeater, logged, [Symbol.asyncDispose]: () => repeater.stop() };
}

test('work gets the time of the database, and does not run while the clocks disagree', async () => {
  let [isAgreed, checks] = [false, 0];
  const times: Date[] = [];
  const check = () => {
    checks += 1;
    return isAgreed;
  };
  await using repeater = repeat(async (now) => void times.push(now), { isAgreed: check });
  await vi.waitFor(() => expect(checks).toBeGreaterThan(3));
  expect(times).toEqual([]);
  isAgreed = true;
  await vi.waitFor(() => expect(times[0]).toEqual(new Date(0)));
  expect(repeater.name).toBe('session clock');
});

test('a round that would find nothing is a success without a call of the work', async () => {
  const asked: string[] = [];
  const mayFind = (work: string): boolean => {
    asked.push(work);
    return false;
  };
  const run = vi.fn<RepeatedWork['run']>();
  await using repeater = repeat(run, { mayFind });
  const startedAt = repeater.lastSuccessAt();
  await vi.waitFor(() => expect(repeater.lastSuccessAt().getTime()).toBeGreaterThan(startedAt.getTime()));
  expect(asked).toContain('session_clock');
  expect(run).not.toHaveBeenCalled();
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

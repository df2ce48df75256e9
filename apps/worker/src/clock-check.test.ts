import type { Log } from '@service/log';
import { expect, test } from 'vitest';
import { createClockCheck } from './clock-check.ts';

/** A worker and a database whose clocks a test sets. */
function clocks() {
  const state = { workerMs: 1_000_000, databaseMs: 1_000_000, elapsedMs: 0, roundTripMs: [10] };
  const warnings: string[] = [];
  const skipped: string[] = [];
  const check = createClockCheck({
    async readClock() {
      const roundTripMs = state.roundTripMs.length > 1 ? state.roundTripMs.shift()! : state.roundTripMs[0]!;
      return {
        now: new Date(state.databaseMs),
        aheadMs: state.workerMs - state.databaseMs,
        errorMs: roundTripMs / 2,
      };
    },
    onSkipped: (round) => void skipped.push(round),
    log: { warn: (_fields: unknown, message: string) => void warnings.push(message) } as unknown as Log,
    now: () => state.workerMs,
    elapsed: () => state.elapsedMs,
  });
  return { state, warnings, skipped, check };
}

test('while clocks agree to five seconds a round gets the time of the database', async () => {
  const { state, check, warnings } = clocks();
  for (const aheadMs of [0, 4900, -4900]) {
    state.workerMs = state.databaseMs + aheadMs;
    expect((await check.readNow('clock'))?.now).toEqual(new Date(state.databaseMs));
    expect(check.isAgreed()).toBe(true);
    expect(check.aheadMs()).toBe(aheadMs);
  }
  expect(warnings).toEqual([]);
});

test.each([5100, -5100, 200 * 86_400_000])('at %d ms apart no round runs', async (aheadMs) => {
  const { state, check, skipped } = clocks();
  state.workerMs += aheadMs;
  expect(await check.readNow('clock')).toBeUndefined();
  expect(check.isAgreed()).toBe(false);
  expect(skipped).toEqual(['clock']);
});

test('rounds also wait when the clock of the database jumps ahead or back', async () => {
  const { state, check } = clocks();
  await check.readNow('clock');
  state.databaseMs += 200 * 86_400_000;
  expect(await check.readNow('clock')).toBeUndefined();
  state.databaseMs -= 200 * 86_400_000;
  expect((await check.readNow('clock'))?.now).toEqual(new Date(state.databaseMs));
});

test('one line is logged when clocks begin to disagree, and one when they agree again', async () => {
  const { state, check, warnings } = clocks();
  state.workerMs += 86_400_000;
  for (let round = 0; round < 3; round += 1) await check.readNow('clock');
  state.workerMs -= 86_400_000;
  for (let round = 0; round < 3; round += 1) await check.readNow('clock');
  expect(warnings).toEqual([
    expect.stringContaining("This worker's clock is 86400 s ahead of the database's clock"),
    'This clock agrees with the database again',
  ]);
});

test('a clock that is set between two readings is noticed at once, and passing time makes no difference', async () => {
  const { state, check } = clocks();
  await check.readNow('clock');
  state.workerMs += 60_000;
  state.elapsedMs += 60_000;
  expect(check.isAgreed()).toBe(true);
  state.workerMs += 60_000;
  expect(check.isAgreed()).toBe(false);
  state.workerMs -= 120_000;
  expect(check.isAgreed()).toBe(false);
});

test('before the first reading clocks do not count as agreed', () => {
  expect(clocks().check.isAgreed()).toBe(false);
});

test('a reading that took too long is repeated, and three of them are an error', async () => {
  const { state, check } = clocks();
  state.roundTripMs = [12_000, 10];
  expect((await check.readNow('clock'))?.now).toEqual(new Date(state.databaseMs));
  state.roundTripMs = [12_000];
  await expect(check.readNow('clock')).rejects.toThrow('12000 ms');
});

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapInTurns, nextTurn } from './long-work.ts';

const items = Array.from({ length: 20 }, (_unused, index) => index);

/** Uses the thread for two milliseconds. */
function work(): void {
  const endsAtMs = performance.now() + 2;
  while (performance.now() < endsAtMs);
}

test('the results are in the order of the items', async () => {
  expect(await mapInTurns(items, (item, index) => [item * 2, index])).toEqual(
    items.map((item) => [item * 2, item]),
  );
});

test('other work runs between the parts of long work, and before its results are used', async () => {
  let others = 0;
  let seen = 0;
  let isDone = false;
  const run = async (): Promise<void> => {
    for (; !isDone; others += 1) await turn();
  };
  const running = run();
  const seenBy = await mapInTurns(items, () => {
    work();
    seen = others;
    return others;
  });
  expect(new Set(seenBy).size).toBeGreaterThan(3);
  expect(others).toBeGreaterThan(seen);
  isDone = true;
  await running;
});

test('short work does not wait', async () => {
  // Ten times, because a pause of the process can make short work look long.
  const waited: boolean[] = [];
  for (let round = 0; round < 10; round += 1) {
    let hasWaited = false;
    setImmediate(() => (hasWaited = true));
    await mapInTurns([1, 2, 3], (item) => item);
    waited.push(hasWaited);
    await turn();
  }
  expect(waited).toContain(false);
});

test('several long works do their parts one after the other', async () => {
  const began: string[] = [];
  const parts = ['first', 'second', 'third'].map(async (name) => {
    await nextTurn(5);
    began.push(name);
  });
  await Promise.race(parts);
  expect(began).toEqual(['first']);
  await Promise.all(parts);
  expect(began).toEqual(['first', 'second', 'third']);
});

test('a part during which the machine was stopped for a minute delays no work for minutes', async () => {
  await nextTurn(60_000);
  await nextTurn();
});

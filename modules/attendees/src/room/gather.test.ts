import { expect, test } from 'vitest';
import { createGathering } from './gather.ts';

/** A gathering whose batches end when the test ends them. */
function heldGathering(
  limits: {
    batchMax?: number;
    batches?: number;
    waitingMax?: number;
    groupOf?: (item: number) => string;
  } = {},
) {
  const started: number[][] = [];
  const ends: (() => void)[] = [];
  const gathering = createGathering<number>({
    waitMs: 1,
    batchMax: 3,
    batches: 2,
    waitingMax: 100,
    ...limits,
    run: (items) => {
      started.push([...items]);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  return { gathering, started, endAll: () => ends.splice(0).forEach((end) => end()) };
}

const untilStarted = (started: readonly unknown[], count: number) =>
  expect.poll(() => started.length, { timeout: 5000 }).toBe(count);

test('items within the waiting time are one batch, in order', async () => {
  const { gathering, started, endAll } = heldGathering();
  gathering.add(1);
  gathering.add(2);
  expect(started).toEqual([]);
  await untilStarted(started, 1);
  expect(started).toEqual([[1, 2]]);
  endAll();
  await gathering.drain();
});

test('a full batch starts at once, and no batch is larger', async () => {
  const { gathering, started, endAll } = heldGathering();
  for (let item = 1; item <= 4; item += 1) gathering.add(item);
  expect(started[0]).toEqual([1, 2, 3]);
  await untilStarted(started, 2);
  expect(started[1]).toEqual([4]);
  endAll();
  await gathering.drain();
});

test('concurrent batches are limited, and waiting items are the next batch', async () => {
  const { gathering, started, endAll } = heldGathering({ batches: 1 });
  gathering.add(1);
  await untilStarted(started, 1);
  for (let item = 2; item <= 6; item += 1) gathering.add(item);
  expect(started).toEqual([[1]]);
  endAll();
  await untilStarted(started, 2);
  expect(started[1]).toEqual([2, 3, 4]);
  endAll();
  await untilStarted(started, 3);
  expect(started[2]).toEqual([5, 6]);
  endAll();
  await gathering.drain();
});

test('groups take turns, so that one with many items does not delay the others', async () => {
  const groupOf = (item: number) => String(Math.floor(item / 100));
  const { gathering, started, endAll } = heldGathering({ batches: 1, groupOf });
  for (const item of [101, 102, 103, 104, 105, 201, 202, 301]) gathering.add(item);
  await untilStarted(started, 1);
  endAll();
  await untilStarted(started, 2);
  endAll();
  await untilStarted(started, 3);
  endAll();
  await gathering.drain();
  // The first batch started as soon as it was full.
  expect(started).toEqual([
    [101, 102, 103],
    [104, 201, 301],
    [105, 202],
  ]);
});

test('items over the limit are refused', () => {
  const { gathering } = heldGathering({ waitingMax: 2 });
  expect([gathering.add(1), gathering.add(2), gathering.add(3)]).toEqual([true, true, false]);
});

test('draining waits for running batches and waiting items', async () => {
  const { gathering, started, endAll } = heldGathering({ batches: 1 });
  let isDrained = false;
  gathering.add(1);
  await untilStarted(started, 1);
  gathering.add(2);
  const drained = gathering.drain().then(() => (isDrained = true));
  endAll();
  await untilStarted(started, 2);
  expect(isDrained).toBe(false);
  endAll();
  await drained;
});

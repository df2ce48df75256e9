import { expect, it } from 'vitest';
import { runOpenLoop } from './open-loop.ts';

it('arrivals start at their time while earlier ones still run, and the run waits for all of them', async () => {
  const arrived: number[] = [];
  const { promise: allArrived, resolve } = Promise.withResolvers<void>();
  let ended = 0;
  await runOpenLoop({
    perSecond: 200,
    seconds: 0.1,
    async arrive(index) {
      arrived.push(index);
      if (arrived.length === 20) resolve();
      // If one arrival had to wait for another, this would never end.
      await allArrived;
      ended += 1;
    },
  });
  expect(arrived).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(ended).toBe(20);
});

it('an arrival that fails fails the run', async () => {
  const run = runOpenLoop({
    perSecond: 100,
    seconds: 60,
    arrive: async (index) => {
      if (index === 3) throw new Error('refused');
    },
  });
  await expect(run).rejects.toThrow('refused');
});

import { expect, test, vi } from 'vitest';
import { createAgenda } from './agenda.ts';
import { createRandom } from './random.ts';

test('work runs in the order of its times and never too soon', async () => {
  const random = createRandom(3);
  const agenda = createAgenda();
  const startMs = performance.now();
  const done: number[] = [];
  const tooSoon: number[] = [];
  for (let count = 0; count < 1000; count += 1) {
    const atMs = startMs + random.between(-5, 300);
    agenda.at(atMs, () => {
      if (performance.now() < atMs) tooSoon.push(atMs);
      done.push(atMs);
    });
  }
  await vi.waitFor(() => expect(done).toHaveLength(1000));
  expect(tooSoon).toEqual([]);
  expect(done).toEqual(done.toSorted((one, other) => one - other));
});

test('work for the same time keeps its order, and work that is added meanwhile runs too', async () => {
  const agenda = createAgenda();
  const done: string[] = [];
  agenda.at(0, () => {
    done.push('first');
    agenda.at(performance.now() + 5, () => done.push('third'));
  });
  agenda.at(0, () => done.push('second'));
  await vi.waitFor(() => expect(done).toEqual(['first', 'second', 'third']));
});

test('after it is closed no work runs, added before or after', async () => {
  const agenda = createAgenda();
  const other = createAgenda();
  const done: string[] = [];
  agenda.at(0, () => {
    done.push('last');
    agenda.close();
    agenda.at(0, () => done.push('after'));
  });
  agenda.at(0, () => done.push('before'));
  agenda.at(performance.now() + 5, () => done.push('before'));
  other.at(performance.now() + 20, () => done.push('other'));
  await vi.waitFor(() => expect(done).toEqual(['last', 'other']));
});

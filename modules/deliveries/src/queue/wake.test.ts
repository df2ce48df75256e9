import { expect, test, vi } from 'vitest';
import { createCoalescer } from './wake.ts';

const onError = (): void => undefined;

test('the first call is sent at once, and all calls within the gap are sent as one', async () => {
  vi.useFakeTimers();
  const sends: number[] = [];
  const coalescer = createCoalescer({ send: async () => void sends.push(Date.now()), onError, gapMs: 10 });
  const start = Date.now();
  for (let call = 0; call < 50; call += 1) coalescer.call();
  await vi.advanceTimersByTimeAsync(100);
  expect(sends).toEqual([start, start + 10]);
  vi.useRealTimers();
});

test('a call during a slow send is followed by another send', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sends = 0;
  const coalescer = createCoalescer({ send: () => ((sends += 1), promise), onError, gapMs: 0 });
  coalescer.call();
  coalescer.call();
  expect(sends).toBe(1);
  resolve();
  await coalescer.close();
  expect(sends).toBe(2);
});

test('a failed send is reported and not thrown, and the next one is tried', async () => {
  const errors: unknown[] = [];
  const failure = new Error('no database');
  const coalescer = createCoalescer({
    send: () => Promise.reject(failure),
    onError: (error) => errors.push(error),
    gapMs: 0,
  });
  coalescer.call();
  await vi.waitFor(() => expect(errors).toEqual([failure]));
  coalescer.call();
  await coalescer.close();
  expect(errors).toEqual([failure, failure]);
});

test('closing sends the waiting call without waiting for the gap, and ignores later calls', async () => {
  let sends = 0;
  const coalescer = createCoalescer({ send: async () => void (sends += 1), onError, gapMs: 60_000 });
  coalescer.call();
  coalescer.call();
  await coalescer.close();
  coalescer.call();
  await coalescer.close();
  expect(sends).toBe(2);
});

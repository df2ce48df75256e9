import { createLog } from '@service/log';
import { expect, test, vi } from 'vitest';
import { createWaker } from './waker.ts';

const log = createLog('test', { level: 'silent' });
const job = { name: 'some.job' };

test('the first wake-up goes out at once, and all that follow within the gap as one', async () => {
  vi.useFakeTimers();
  const sends: number[] = [];
  const waker = createWaker({ send: async () => void sends.push(Date.now()), log, gapMs: 10 });
  const start = Date.now();
  for (let call = 0; call < 50; call += 1) waker.wake(job);
  await vi.advanceTimersByTimeAsync(100);
  expect(sends).toEqual([start, start + 10]);
  vi.useRealTimers();
});

test('a wake-up during a slow send is followed by another send', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sends = 0;
  const waker = createWaker({ send: () => ((sends += 1), promise), log, gapMs: 0 });
  waker.wake(job);
  waker.wake(job);
  expect(sends).toBe(1);
  resolve();
  await waker.close();
  expect(sends).toBe(2);
});

test('a send that fails is logged, thrown to nobody, and the next one is tried', async () => {
  const lines: string[] = [];
  const waker = createWaker({
    send: () => Promise.reject(new Error('no database')),
    log: createLog('test', { destination: { write: (line) => lines.push(line) } }),
    gapMs: 0,
  });
  waker.wake(job);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  waker.wake(job);
  await waker.close();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('no database');
});

test('closing sends what waits, without waiting for the gap, and ignores what comes after', async () => {
  let sends = 0;
  const waker = createWaker({ send: async () => void (sends += 1), log, gapMs: 60_000 });
  waker.wake(job);
  waker.wake(job);
  await waker.close();
  waker.wake(job);
  await waker.close();
  expect(sends).toBe(2);
});

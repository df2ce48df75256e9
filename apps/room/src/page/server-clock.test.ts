import { expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

test('the clock is right within half of the fastest round trip, in spite of slow answers', () => {
  let nowMs = 0;
  // The server is one hour ahead of a page that began at 0.
  const serverAt = (ms: number): number => 3_600_000 + ms;
  const clock = createServerClock(() => nowMs);
  const call = (sentMs: number, readMs: number, answeredMs: number): void => {
    nowMs = answeredMs;
    clock.note({ sentMs, answeredMs, serverNow: iso(serverAt(readMs)) });
  };
  call(0, 4000, 4010);
  call(5000, 5030, 5060);
  call(6000, 6001, 9000);
  expect(Math.abs(clock.now() - serverAt(9000))).toBeLessThanOrEqual(30);
});

test('after a sleep that stopped the page clock, the next answer is believed at once', () => {
  let nowMs = 1000;
  const clock = createServerClock(() => nowMs);
  clock.note({ sentMs: 980, answeredMs: 1000, serverNow: iso(500_990) });
  nowMs = 2000;
  clock.note({ sentMs: 1900, answeredMs: 2000, serverNow: iso(900_000) });
  expect(Math.abs(clock.now() - 900_050)).toBeLessThanOrEqual(50);
});

test('a page that waits without calls has the right time after a sleep that stopped its clock', () => {
  let nowMs = 1000;
  let wallMs = 70_000;
  const clock = createServerClock(
    () => nowMs,
    () => wallMs,
  );
  clock.note({ sentMs: 1000, answeredMs: 1000, serverNow: iso(500_000) });
  nowMs += 10;
  wallMs += 600_010;
  expect(clock.now()).toBe(1_100_010);
  clock.note({ sentMs: 1010, answeredMs: 1010, serverNow: iso(1_100_400) });
  expect(clock.now()).toBe(1_100_400);
});

test('before the first answer the clock of the machine is used', () => {
  expect(
    createServerClock(
      () => 5,
      () => 77_000,
    ).now(),
  ).toBe(77_000);
});

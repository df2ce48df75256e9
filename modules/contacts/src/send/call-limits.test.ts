import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallLimits, type CallReservation } from './call-limits.ts';

const at = (ms: number): Date => new Date(1_790_000_000_000 + ms);

const changeOf = (calls: number) => Array.from({ length: calls - 1 }, () => ['all']);

test('a window takes its calls at once, and the next one when the first have left it', () => {
  const limits = createCallLimits({ all: [{ count: 2, windowMs: 1000 }] });
  for (const _ of [1, 2]) expect(limits.reserveCalls().take(['all'], at(0))).toBe(0);
  const reservation = limits.reserveCalls();
  const waitMs = reservation.take(['all'], at(0));
  expect(waitMs).toBeGreaterThanOrEqual(1000);
  expect(waitMs).toBeLessThanOrEqual(1025);
  expect(reservation.take(['all'], at(waitMs))).toBe(0);
});

test('calls count in every window of every limit that they name', () => {
  const limits = createCallLimits({
    all: [
      { count: 10, windowMs: 1000 },
      { count: 3, windowMs: 60_000 },
    ],
    reads: [{ count: 1, windowMs: 3_600_000 }],
  });
  limits.count(['all', 'reads'], at(0), 1);
  expect(limits.reserveCalls().take(['all', 'reads'], at(0))).toBeGreaterThanOrEqual(3_600_000);
  for (const _ of [2, 3]) expect(limits.reserveCalls().take(['all'], at(0))).toBe(0);
  expect(limits.reserveCalls().take(['all'], at(0))).toBeGreaterThanOrEqual(60_000);
});

test('a share of a limit is used up earlier', () => {
  const limits = createCallLimits({ all: [{ count: 4, windowMs: 1000 }] });
  limits.count(['all'], at(0), 2);
  expect(limits.reserveCalls(0.5).take(['all'], at(0))).toBeGreaterThan(0);
  expect(limits.reserveCalls().take(['all'], at(0))).toBe(0);
});

test('a change begins when all of its calls have room, which no other change gets before it ends', () => {
  const limits = createCallLimits({ all: [{ count: 5, windowMs: 1000 }] });
  const [first, second] = [limits.reserveCalls(), limits.reserveCalls()];
  expect(first.take(['all'], at(0), changeOf(3))).toBe(0);
  expect(second.take(['all'], at(0), changeOf(3))).toBeGreaterThan(0);
  expect(first.take(['all'], at(0), changeOf(2))).toBe(0);
  first.release();
  expect(second.take(['all'], at(0), changeOf(3))).toBe(0);
});

test('a change with more calls than a limit uses it up each time, before the changes that have not begun', () => {
  const limits = createCallLimits({ all: [{ count: 5, windowMs: 1000 }] });
  const long = limits.reserveCalls();
  let left = 12;
  let nowMs = 0;
  while (left > 0) {
    const waitMs = long.take(['all'], at(nowMs), changeOf(left));
    if (waitMs === 0) left -= 1;
    nowMs += waitMs;
    if (left > 5) expect(limits.reserveCalls().take(['all'], at(nowMs))).toBeGreaterThan(0);
  }
  expect(nowMs).toBeLessThan(2100);
});

test('no window of any start has more calls than its limit, also after restarts', () => {
  const window = { count: 5, windowMs: 1000 };
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 400 }),
          restarts: fc.boolean(),
          change: fc.nat(2),
          later: fc.nat(8),
        }),
        { maxLength: 60 },
      ),
      (steps) => {
        let limits = createCallLimits({ all: [window] });
        const reservations = new Map<number, CallReservation>();
        let nowMs = 0;
        const calls: number[] = [];
        for (const { afterMs, restarts, change, later } of steps) {
          nowMs += afterMs;
          if (restarts) limits = createCallLimits({ all: [window] }, limits.toStored(at(nowMs)));
          if (restarts) reservations.clear();
          const reservation = reservations.get(change) ?? limits.reserveCalls();
          reservations.set(change, reservation);
          if (reservation.take(['all'], at(nowMs), changeOf(later + 1)) === 0) calls.push(nowMs);
          if (later === 0) {
            reservation.release();
            reservations.delete(change);
          }
        }
        return calls.every(
          (startMs) =>
            calls.filter((ms) => ms >= startMs && ms < startMs + window.windowMs).length <= window.count,
        );
      },
    ),
  );
});

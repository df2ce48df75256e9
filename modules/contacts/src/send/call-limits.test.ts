import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallLimits } from './call-limits.ts';

const at = (ms: number): Date => new Date(1_790_000_000_000 + ms);

test('a window takes its calls at once, and the next one when the first have left it', () => {
  const limits = createCallLimits({ contacts: [{ count: 2, windowMs: 1000 }] });
  for (const _ of [1, 2]) {
    expect(limits.waitMs(['contacts'], at(0))).toBe(0);
    limits.take(['contacts'], at(0));
  }
  const waitMs = limits.waitMs(['contacts'], at(0));
  expect(waitMs).toBeGreaterThanOrEqual(1000);
  expect(waitMs).toBeLessThanOrEqual(1025);
  expect(limits.waitMs(['contacts'], at(waitMs))).toBe(0);
});

test('calls count in every window of every limit that they name', () => {
  const limits = createCallLimits({
    all: [
      { count: 10, windowMs: 1000 },
      { count: 3, windowMs: 60_000 },
    ],
    reads: [{ count: 1, windowMs: 3_600_000 }],
  });
  limits.take(['all', 'reads'], at(0));
  expect(limits.waitMs(['all'], at(0))).toBe(0);
  expect(limits.waitMs(['all', 'reads'], at(0))).toBeGreaterThanOrEqual(3_600_000);
  limits.take(['all'], at(0));
  limits.take(['all'], at(0));
  expect(limits.waitMs(['all'], at(0))).toBeGreaterThanOrEqual(60_000);
});

test('a share of a limit is used up earlier', () => {
  const limits = createCallLimits({ all: [{ count: 4, windowMs: 1000 }] });
  limits.take(['all'], at(0), 2);
  expect(limits.waitMs(['all'], at(0), 0.5)).toBeGreaterThan(0);
  expect(limits.waitMs(['all'], at(0))).toBe(0);
});

test('a call waits until those that follow it have room too, and reserved room is not given away', () => {
  const limits = createCallLimits({ all: [{ count: 3, windowMs: 1000 }] });
  const giveBack = limits.reserve([['all']]);
  limits.take(['all'], at(0));
  expect(limits.waitMs(['all'], at(0))).toBe(0);
  expect(limits.waitMs(['all'], at(0), 1, [['all']])).toBeGreaterThanOrEqual(1000);
  giveBack();
  giveBack();
  expect(limits.waitMs(['all'], at(0), 1, [['all']])).toBe(0);
  expect(limits.waitMs(['all'], at(0), 1, [['all'], ['all']])).toBeGreaterThanOrEqual(1000);
  // More calls than the window has wait for an empty window.
  expect(
    limits.waitMs(
      ['all'],
      at(2000),
      1,
      Array.from({ length: 9 }, () => ['all']),
    ),
  ).toBe(0);
});

test('no window of any start has more calls than its limit, also after restarts', () => {
  const window = { count: 5, windowMs: 1000 };
  fc.assert(
    fc.property(
      fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 400 }), restarts: fc.boolean() }), {
        maxLength: 60,
      }),
      (steps) => {
        let limits = createCallLimits({ all: [window] });
        let nowMs = 0;
        const calls: number[] = [];
        for (const { afterMs, restarts } of steps) {
          nowMs += afterMs;
          if (restarts) limits = createCallLimits({ all: [window] }, limits.toStored(at(nowMs)));
          if (limits.waitMs(['all'], at(nowMs)) > 0) continue;
          limits.take(['all'], at(nowMs));
          calls.push(nowMs);
        }
        return calls.every(
          (startMs) =>
            calls.filter((ms) => ms >= startMs && ms < startMs + window.windowMs).length <= window.count,
        );
      },
    ),
  );
});

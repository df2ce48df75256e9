// Random heartbeats: repeated, out of order, false, of many pages, with clocks that differ.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lengths, Trial, worlds, type Step, type World } from './trial.fixture.ts';
import { Viewer, webinarOf } from './viewer.fixture.ts';
import { visitsMax } from './visits.ts';

type Interval = [from: number, to: number];

const position = fc.oneof(fc.nat(700), fc.double({ min: 0, max: 700, noNaN: true }));
const piece = fc
  .tuple(position, fc.double({ min: 0, max: 60, noNaN: true }))
  .map(([from, length]): Interval => [from, from + length]);
const lie = fc.oneof(fc.tuple(position, position), fc.constant<Interval>([0, 86_400]));
const beat = fc.record({
  seq: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) }, fc.integer({ min: 1, max: 1e9 })),
  intervals: fc.array(fc.oneof({ weight: 4, arbitrary: piece }, lie), { maxLength: 4 }),
  state: fc.constantFrom('playing' as const, 'paused' as const, 'ended' as const),
  playheadSeconds: position,
});
const acts = ['beat', 'beat', 'beat', 'beat', 'beat', 'leave', 'check', 'open', 'move'] as const;
const step: fc.Arbitrary<Step> = fc.record({
  waitMs: fc.nat(45_000),
  skewMs: fc.integer({ min: -3000, max: 3000 }),
  act: fc.constantFrom(...acts),
  page: fc.nat(visitsMax - 1),
  // One more than there are.
  segment: fc.option(fc.nat(lengths.length), { nil: undefined }),
  beat,
});

test.each(Object.keys(worlds) as World[])(
  '%s: watch time equals that of the second implementation, for any heartbeats',
  (world) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), (steps) => {
        const trial = new Trial(world);
        for (const one of steps) trial.take(one);
        trial.end();
      }),
      { numRuns: 200 },
    );
  },
);

const watcher = { webinar: webinarOf({ seekAllowed: true }), minutes: [1, 2, 5], percents: [10, 50] };

const numbered = fc.record({ waitMs: fc.nat(14_000), visit: fc.integer({ min: 1, max: 3 }), beat });
/** The heartbeat after which an earlier one is repeated, and the content of the repeated one. */
const again = fc.record({ after: fc.nat(39), which: fc.nat(39), beat });

test('a repeated heartbeat changes only lastSeenAt, at any time and with any content', () => {
  const inputs = [
    fc.array(numbered, { minLength: 1, maxLength: 40 }),
    fc.array(again, { maxLength: 20 }),
  ] as const;
  fc.assert(
    fc.property(...inputs, (story, repeats) => {
      const [once, more] = [new Viewer(watcher), new Viewer(watcher)];
      for (const viewer of [once, more]) for (const visit of [2, 3]) viewer.open(0, visit);
      let seconds = 0;
      for (const [n, { waitMs, visit, beat }] of story.entries()) {
        seconds += waitMs / 1000;
        const sent = { ...beat, visit, seq: n + 1 };
        expect(more.beat(seconds, sent).events).toEqual(once.beat(seconds, sent).events);
        for (const { which, beat } of repeats.filter(({ after }) => after === n)) {
          const repeated = which % (n + 1);
          const { visit } = story[repeated]!;
          expect(more.beat(seconds, { ...beat, visit, seq: repeated + 1 }).events).toEqual([]);
        }
      }
      expect(more.attendance).toEqual(once.attendance);
    }),
  );
});

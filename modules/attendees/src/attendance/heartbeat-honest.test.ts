// An honest player loses no second, even if each heartbeat has a different delay.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { perform, type Piece } from './player.fixture.ts';
import { Viewer, webinarOf } from './viewer.fixture.ts';
import { countSeconds } from './watched.ts';

const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('play' as const), length: decimal(2, 90) }) },
  fc.record({
    does: fc.constantFrom('pause' as const, 'stall' as const, 'seek' as const, 'reload' as const),
    length: decimal(1.5, 40),
  }),
);

const habits = fc.record({
  openedAt: decimal(-100, 60),
  pieces: fc.array(piece, { minLength: 1, maxLength: 14 }),
  waits: fc.array(decimal(9, 11), { minLength: 5, maxLength: 5 }),
  delays: fc.array(decimal(0, 4), { minLength: 7, maxLength: 7 }),
});

/** When a second, paused page is opened, and how often it reports. Undefined without such a page. */
const stillPage = fc.option(fc.record({ at: decimal(0, 60), every: decimal(5, 30) }), { nil: undefined });
type StillPage = { at: number; every: number } | undefined;

const stillVisit = 8;

/** The seconds that should count, with the ends of each range rounded once. */
function secondsOf(played: readonly (readonly [number, number])[]): number[] {
  const seconds = new Set<number>();
  for (const [from, to] of played) for (let n = Math.round(from); n < Math.round(to); n += 1) seconds.add(n);
  return [...seconds].toSorted((one, other) => one - other);
}

interface Arrival {
  at: number;
  run(): void;
}

function watch(
  settings: Room['settings'],
  { opens, reports }: ReturnType<typeof perform>,
  still: StillPage,
): number[] {
  const viewer = new Viewer({ webinar: webinarOf(settings), openedAt: opens[0]!.at });
  const arrivals: Arrival[] = [
    ...opens.slice(1).map(({ at, visit }) => ({ at, run: () => viewer.open(at, visit) })),
    ...reports.map(({ arrivesAt: at, ...beat }) => ({ at, run: () => viewer.beat(at, beat) })),
  ];
  if (still) {
    arrivals.push({ at: still.at, run: () => viewer.open(still.at, stillVisit) });
    for (let at = still.at + 0.3; at < 600; at += still.every)
      arrivals.push({ at, run: () => viewer.beat(at, { visit: stillVisit, state: 'paused' }) });
  }
  for (const { run } of arrivals.toSorted((one, other) => one.at - other.at)) run();
  const { watched, watchedSeconds } = viewer.attendance;
  const seconds = Array.from({ length: 600 }, (_, n) => n).filter((n) => countSeconds(watched, n, n + 1));
  expect(seconds).toHaveLength(watchedSeconds);
  return seconds;
}

interface Room {
  settings: Partial<ReturnType<typeof webinarOf>['room']>;
  isTogether: boolean;
  seeks: boolean;
}

const rooms: [string, Room][] = [
  ['together', { settings: {}, isTogether: true, seeks: false }],
  ['from the beginning', { settings: { lateJoin: 'from_start' }, isTogether: false, seeks: false }],
  ['where seeking is allowed', { settings: { seekAllowed: true }, isTogether: false, seeks: true }],
];

test.each(rooms)('%s: an honest player loses no second', (_, { settings, isTogether, seeks }) => {
  fc.assert(
    fc.property(habits, stillPage, (habits, still) => {
      const pieces = habits.pieces.filter(({ does }) => seeks || does !== 'seek');
      const performance = perform({ ...habits, pieces, isTogether });
      fc.pre(performance.opens.length < 6);
      const page = still && still.at > habits.openedAt ? still : undefined;
      expect(watch(settings, performance, page)).toEqual(secondsOf(performance.played));
    }),
    { numRuns: 400 },
  );
});

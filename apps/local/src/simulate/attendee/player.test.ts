import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { addPlayed, countSeconds, createPlayer, type Interval } from './player.ts';

const seconds = 60;
const positionAt = (atMs: number): number => Math.min(Math.max(atMs, 0), seconds * 1000) / 1000;

test('seconds in a pause are not played', () => {
  const player = createPlayer(positionAt);
  player.play(1000);
  player.pause(4000);
  player.play(9000);
  expect(player.take(10_000)).toEqual([
    [1, 4],
    [9, 10],
  ]);
  expect(player.take(10_000)).toEqual([]);
});

test('before the start and after the end nothing is played', () => {
  const player = createPlayer(positionAt);
  player.play(-5000);
  expect(player.take(-1000)).toEqual([]);
  expect(player.take(61_000)).toEqual([[0, 60]]);
  expect(player.take(70_000)).toEqual([]);
});

interface Taken {
  atMs: number;
  intervals: Interval[];
}

/** Random actions on a player, and the intervals that it must report. */
function playAtRandom(seed: number) {
  const random = createRandom(seed);
  const player = createPlayer(positionAt);
  const taken: Taken[] = [];
  const truth: Interval[] = [];
  let atMs = Math.round(random.between(-10_000, 40_000));
  let playsSinceMs: number | undefined;
  const step = { play: () => player.play(atMs), pause: () => player.pause(atMs) };
  const stop = (): void => {
    if (playsSinceMs !== undefined) truth.push([positionAt(playsSinceMs), positionAt(atMs)]);
    playsSinceMs = undefined;
  };
  for (let count = 0; count < 30; count += 1) {
    const does = random.pick(['play', 'pause', 'take', 'take'] as const);
    if (does === 'take') taken.push({ atMs, intervals: player.take(atMs) });
    else step[does]();
    if (does === 'play') playsSinceMs ??= atMs;
    if (does === 'pause') stop();
    atMs += Math.round(random.between(0, 5000));
  }
  stop();
  taken.push({ atMs, intervals: player.take(atMs) });
  return { taken, truth };
}

/** Joins adjacent intervals. */
function tile(intervals: readonly Interval[]): Interval[] {
  const tiled: [number, number][] = [];
  for (const [from, to] of intervals) {
    const last = tiled.at(-1);
    if (last && last[1] === from) last[1] = to;
    else tiled.push([from, to]);
  }
  return tiled.filter(([from, to]) => to > from);
}

/** True when a heartbeat reports more seconds than passed since the one before. */
const isTooMuch = ({ atMs, intervals }: Taken, before: Taken | undefined): boolean =>
  intervals.reduce((played, [from, to]) => played + to - from, 0) * 1000 >
  atMs - (before?.atMs ?? Number.NEGATIVE_INFINITY) + 1e-6;

test('after any actions a player reports no more than the elapsed time, and each played second once', () => {
  for (let seed = 0; seed < 2000; seed += 1) {
    const { taken, truth } = playAtRandom(seed);
    const tooMuch = taken.filter((one, index) => isTooMuch(one, taken[index - 1]));
    const said = taken.flatMap(({ intervals }) => intervals);
    expect({ seed, tooMuch, said: tile(said) }).toEqual({ seed, tooMuch: [], said: tile(truth) });
  }
});

test('ends are rounded, so that adjacent intervals leave no second out and count none twice', () => {
  expect(
    addPlayed(
      [],
      [
        [0, 10.4],
        [10.4, 20.6],
      ],
    ),
  ).toEqual([[0, 21]]);
  expect(addPlayed([], [[0.6, 1.4]])).toEqual([]);
});

test('the same seconds in two tabs count once', () => {
  expect(
    countSeconds(
      addPlayed(
        [],
        [
          [5, 15],
          [10, 20],
          [0, 7],
          [30, 31],
        ],
      ),
    ),
  ).toBe(21);
});

test('it counts the same as a list of single seconds', () => {
  const random = createRandom(5);
  for (let round = 0; round < 500; round += 1) {
    const intervals = Array.from({ length: 8 }, (): Interval => {
      const from = random.between(0, 50);
      return [from, from + random.between(0, 12)];
    });
    const single = new Set<number>();
    for (const [from, to] of intervals)
      for (let second = Math.round(from); second < Math.round(to); second += 1) single.add(second);
    const seconds = addPlayed([], intervals);
    expect(countSeconds(seconds)).toBe(single.size);
    for (const [index, [from]] of seconds.entries())
      if (index > 0) expect(from).toBeGreaterThan(seconds[index - 1]![1]);
  }
});

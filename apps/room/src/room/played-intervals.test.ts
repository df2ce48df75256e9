import { expect, test } from 'vitest';
import { createPlayedIntervals } from './played-intervals.ts';

test('each second is reported once, in the heartbeat after it was played', () => {
  const played = createPlayedIntervals();
  for (let quarter = 0; quarter <= 40; quarter += 1) played.progress(quarter / 4, quarter * 250);
  expect(played.take()).toEqual([[0, 10]]);
  played.progress(10.25, 10_250);
  expect(played.take()).toEqual([[10, 10.25]]);
  expect(played.take()).toEqual([]);
});

test('seconds that a seek skips are not reported, with or without an event of it', () => {
  const played = createPlayedIntervals();
  played.progress(0, 0);
  played.progress(2, 2000);
  played.cut();
  played.progress(50, 2100);
  played.progress(51, 3100);
  played.progress(200, 3350);
  played.progress(201, 4350);
  played.progress(190, 4600);
  played.progress(191, 5600);
  expect(played.take()).toEqual([
    [0, 2],
    [50, 51],
    [200, 201],
    [190, 191],
  ]);
});

test('a pause without a report of positions costs nothing, and a sleep of the page adds nothing', () => {
  const played = createPlayedIntervals();
  played.progress(5, 0);
  played.progress(6, 1000);
  played.cut();
  expect(played.take()).toEqual([[5, 6]]);
  played.progress(6, 600_000);
  played.progress(7, 601_000);
  expect(played.take()).toEqual([[6, 7]]);
});

test('a heartbeat never has more than a hundred intervals', () => {
  const played = createPlayedIntervals();
  for (let index = 0; index < 500; index += 1) {
    played.progress(index, index * 2000);
    played.progress(index + 0.5, index * 2000 + 500);
    played.cut();
  }
  expect(played.take()).toHaveLength(100);
});

import { expect, test } from 'vitest';
import { correct, createSeekPauses, livePosition } from './live-sync.ts';

/** Plays for some seconds with a correction each quarter of a second, and returns the distance and the number of seeks. */
function play(startsBehind: number, seconds: number) {
  let target = 100;
  let position = target - startsBehind;
  let rate = 1;
  let seeks = 0;
  for (let step = 0; step < seconds * 4; step += 1) {
    const correction = correct({ positionSeconds: position, targetSeconds: target, rate });
    if (correction.type === 'seek') {
      seeks += 1;
      position = correction.toSeconds;
      rate = 1;
    } else rate = correction.rate;
    target += 0.25;
    position += 0.25 * rate;
  }
  return { distance: Math.abs(target - position), seeks, rate };
}

test('a player within three seconds of the live position reaches it by rate, without a seek', () => {
  for (const behind of [-2.9, -1, -0.4, 0.4, 1, 2.9]) {
    const { distance, seeks } = play(behind, 60);
    expect({ behind, seeks, isNear: distance < 0.3 }).toEqual({ behind, seeks: 0, isNear: true });
  }
});

test('a player further away seeks once and stays at the live position', () => {
  const { distance, seeks, rate } = play(30, 20);
  expect({ seeks, rate }).toEqual({ seeks: 1, rate: 1 });
  expect(distance).toBeLessThan(0.25);
});

test('the rate stays within six percent and is one at the live position', () => {
  for (let behind = -3; behind <= 3; behind += 0.01) {
    const correction = correct({ positionSeconds: 50 - behind, targetSeconds: 50, rate: 1 });
    if (correction.type !== 'rate') throw new Error(`A seek at ${behind} s.`);
    expect(Math.abs(correction.rate - 1)).toBeLessThanOrEqual(0.0601);
  }
  expect(correct({ positionSeconds: 50.1, targetSeconds: 50, rate: 1 })).toEqual({ type: 'rate', rate: 1 });
});

test('the live position starts at zero and ends with the video', () => {
  const at = (nowMs: number) => livePosition({ startsAtMs: 10_000, nowMs, durationSeconds: 60 });
  expect([at(0), at(10_000), at(12_500), at(900_000)]).toEqual([0, 0, 2.5, 60]);
});

test('seeks that land behind again and again become rarer', () => {
  const pauses = createSeekPauses(4000, 20_000);
  const times: number[] = [];
  for (let nowMs = 0; nowMs < 60_000; nowMs += 250) {
    if (!pauses.maySeek(nowMs)) continue;
    times.push(nowMs);
    pauses.noteSeek(nowMs);
  }
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  expect(gaps.length).toBeLessThan(6);
  expect(gaps.toSorted((one, other) => one - other)).toEqual(gaps);
});

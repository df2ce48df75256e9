import { expect, test } from 'vitest';
import { hearOf, notThere, type Sign } from './presence.ts';

const sign = (type: Sign['type'], seconds: number, isSure = true): Sign => ({
  type,
  sentMs: seconds * 1000,
  answeredMs: seconds * 1000 + 100,
  isSure,
});

const beat = (seconds: number) => sign('beat', seconds);
const leave = (seconds: number) => sign('leave', seconds);
const joinedAfter = (...signs: Sign[]) => signs.reduce(hearOf, notThere).joined;

test('whoever beats is there once, however often', () => {
  expect(joinedAfter()).toEqual({ least: 0, most: 0 });
  expect(joinedAfter(beat(0), beat(10), beat(20))).toEqual({ least: 1, most: 1 });
});

test('whoever closes the page and is back within a minute has not left', () => {
  expect(joinedAfter(beat(0), leave(10), beat(69))).toEqual({ least: 1, most: 1 });
});

test('whoever is back later has left and come again; near the limit nobody can know', () => {
  expect(joinedAfter(beat(0), leave(10), beat(86))).toEqual({ least: 2, most: 2 });
  expect(joinedAfter(beat(0), leave(10), beat(72))).toEqual({ least: 1, most: 2 });
});

test('without a word it takes ninety seconds', () => {
  expect(joinedAfter(beat(0), beat(89))).toEqual({ least: 1, most: 1 });
  expect(joinedAfter(beat(0), beat(91))).toEqual({ least: 1, most: 2 });
  expect(joinedAfter(beat(0), beat(106))).toEqual({ least: 2, most: 2 });
});

test('another page that is still open takes back what the closed one said', () => {
  expect(joinedAfter(beat(0), leave(10), beat(15), beat(80))).toEqual({ least: 1, most: 1 });
});

test('a heartbeat that is overtaken by the last word of its page takes nothing back', () => {
  const late = { ...beat(9), answeredMs: 12_000 };
  expect(joinedAfter(beat(0), leave(10), late, beat(86))).toEqual({ least: 2, most: 2 });
});

test('a call that was never answered may have counted', () => {
  const lost = sign('beat', 0, false);
  expect(joinedAfter(lost)).toEqual({ least: 0, most: 1 });
  expect(joinedAfter(lost, beat(10))).toEqual({ least: 1, most: 1 });
});

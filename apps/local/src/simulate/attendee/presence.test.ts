import { expect, test } from 'vitest';
import { applySignal, absent, type Signal } from './presence.ts';

const signal = (type: Signal['type'], seconds: number, isSure = true): Signal => ({
  type,
  sentMs: seconds * 1000,
  answeredMs: seconds * 1000 + 100,
  isSure,
});

const beat = (seconds: number) => signal('beat', seconds);
const leave = (seconds: number) => signal('leave', seconds);
const joinedAfter = (...signals: Signal[]) => signals.reduce(applySignal, absent).joined;

test('heartbeats without a pause are one join', () => {
  expect(joinedAfter()).toEqual({ least: 0, most: 0 });
  expect(joinedAfter(beat(0), beat(10), beat(20))).toEqual({ least: 1, most: 1 });
});

test('an attendee who closes the page and is back within a minute has not left', () => {
  expect(joinedAfter(beat(0), leave(10), beat(69))).toEqual({ least: 1, most: 1 });
});

test('an attendee who is back later has joined twice; near the limit both counts are possible', () => {
  expect(joinedAfter(beat(0), leave(10), beat(86))).toEqual({ least: 2, most: 2 });
  expect(joinedAfter(beat(0), leave(10), beat(72))).toEqual({ least: 1, most: 2 });
});

test('without a leave beacon an attendee leaves after ninety seconds', () => {
  expect(joinedAfter(beat(0), beat(89))).toEqual({ least: 1, most: 1 });
  expect(joinedAfter(beat(0), beat(91))).toEqual({ least: 1, most: 2 });
  expect(joinedAfter(beat(0), beat(106))).toEqual({ least: 2, most: 2 });
});

test('a heartbeat of another page cancels a leave beacon', () => {
  expect(joinedAfter(beat(0), leave(10), beat(15), beat(80))).toEqual({ least: 1, most: 1 });
});

test('a heartbeat that the leave beacon of its page overtook does not cancel it', () => {
  const late = { ...beat(9), answeredMs: 12_000 };
  expect(joinedAfter(beat(0), leave(10), late, beat(86))).toEqual({ least: 2, most: 2 });
});

test('a call without an answer may have counted', () => {
  const lost = signal('beat', 0, false);
  expect(joinedAfter(lost)).toEqual({ least: 0, most: 1 });
  expect(joinedAfter(lost, beat(10))).toEqual({ least: 1, most: 1 });
});

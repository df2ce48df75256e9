import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, secondsOf, sessionOf, Viewer } from './viewer.fixture.ts';

const apiSession = sessionOf({ control: 'api', endsAt: at(10) });

test('an attendee leaves after 90 s without a heartbeat, and leftAt is the last heartbeat', () => {
  const viewer = new Viewer();
  viewer.beat(10, { intervals: [[0, 9]] });
  expect(viewer.check(99.999)).toEqual({ again: 100 });
  const data = viewer.check(100);
  expect(data).toEqual({
    leftAt: at(10).toISOString(),
    reason: 'timeout',
    positionSeconds: 9,
    watchedSeconds: 9,
    completionPercent: 1,
  });
  expect(Object.keys(data)[0]).toBe('leftAt');
  expect(viewer.attendance).toMatchObject({ leftAt: at(10), checkAt: null, leavingAt: null });
});

test('after a newer heartbeat, the next check is 90 s after it', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.beat(80);
  expect(viewer.check(100)).toEqual({ again: 170 });
});

test('an attendee leaves 60 s after closing the page, and leftAt is the closing', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.leave(20);
  expect(viewer.check(79)).toEqual({ again: 80 });
  expect(viewer.check(80)).toMatchObject({ reason: 'closed', leftAt: at(20).toISOString() });
  expect(viewer.attendance).toMatchObject({ leftAt: at(20), checkAt: null, leavingAt: null });
});

test('a heartbeat that was sent before the closing does not delay the leave', () => {
  const viewer = new Viewer();
  viewer.beat(10, { seq: 1 });
  viewer.leave(20, { seq: 3 });
  viewer.beat(21, { seq: 2 });
  viewer.beat(22, { seq: 1 });
  expect(viewer.check(80)).toMatchObject({ reason: 'closed', leftAt: at(20).toISOString() });
});

test('an attendee who comes back within 60 s has not left', () => {
  const viewer = new Viewer();
  viewer.leave(20);
  viewer.open(30, 2);
  expect(viewer.beat(40, { visit: 2 }).events).toEqual([]);
  expect(viewer.check(80)).toEqual({ again: 130 });
});

test('an attendee in the room leaves five seconds after the end, and leftAt is the end', () => {
  const viewer = new Viewer();
  viewer.beat(590);
  viewer.beat(603);
  expect(viewer.check(604)).toEqual({ again: 605 });
  expect(viewer.check(605)).toMatchObject({ reason: 'session_ended', leftAt: at(600).toISOString() });
});

test('the actual end counts, not the planned end', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'ended', actualEndedAt: at(110) });
  expect(viewer.check(115)).toMatchObject({ reason: 'session_ended', leftAt: at(110).toISOString() });
});

test('an API-controlled session has no end before a call ends it', () => {
  const viewer = new Viewer({ session: apiSession });
  viewer.beat(100);
  expect(viewer.check(101)).toEqual({ again: 190 });
  viewer.setting.session = { ...apiSession, status: 'ended', actualEndedAt: at(120) };
  expect(viewer.check(121)).toEqual({ again: 125 });
  expect(viewer.check(125)).toMatchObject({ reason: 'session_ended', leftAt: at(120).toISOString() });
});

test('a cancelled session ended five seconds before closingAt', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'cancelled', closingAt: at(120) });
  expect(viewer.check(119)).toEqual({ again: 120 });
  expect(viewer.check(120)).toMatchObject({ reason: 'session_ended', leftAt: at(115).toISOString() });
});

test('without closingAt, an attendee of a cancelled session leaves at the actual end, or now', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'cancelled', actualEndedAt: at(115) });
  const present = viewer.attendance;
  expect(viewer.check(130)).toMatchObject({ reason: 'session_ended', leftAt: at(115).toISOString() });
  viewer.attendance = present;
  viewer.setting.session = sessionOf({ status: 'cancelled' });
  expect(viewer.check(130)).toMatchObject({ reason: 'session_ended', leftAt: at(130).toISOString() });
});

test('the check of an attendee who is not in the room does nothing', () => {
  const viewer = new Viewer();
  expect(viewer.check(700)).toEqual({ again: null });
  viewer.beat(10);
  viewer.check(100);
  const before = viewer.attendance;
  expect(viewer.check(700)).toEqual({ again: null });
  expect(viewer.attendance).toBe(before);
});

test.each([
  ['timeout', [10, 505], undefined],
  ['session_ended', [10, 590], undefined],
  ['closed', [10, 509], 530],
  ['session_ended', [10, 509], 560],
  ['closed', [10], 30],
])('if the check is hours late, the earliest reason counts: %s', (reason, beats, leave) => {
  const viewer = new Viewer();
  for (const seconds of beats) viewer.beat(seconds);
  if (leave !== undefined) viewer.leave(leave);
  const leftAt = reason === 'session_ended' ? 600 : (leave ?? beats.at(-1)!);
  expect(viewer.check(9000)).toMatchObject({ reason, leftAt: at(leftAt).toISOString() });
});

test('checks on time find the same leave as a late check, and not earlier', () => {
  const heard = fc.record({ wait: fc.integer({ min: 0, max: 89 }), isLeave: fc.boolean() });
  fc.assert(
    fc.property(fc.array(heard, { minLength: 1, maxLength: 12 }), (story) => {
      const [prompt, late] = [new Viewer(), new Viewer()];
      let seconds = 0;
      let found: Record<string, unknown> = {};
      const lookUntil = (until: number): void => {
        while (prompt.attendance.checkAt && secondsOf(prompt.attendance.checkAt) <= until) {
          const due = secondsOf(prompt.attendance.checkAt);
          found = prompt.check(due);
          if ('again' in found) expect(prompt.check((found.again as number) - 0.001)).toEqual(found);
        }
      };
      for (const { wait, isLeave } of story) {
        seconds += wait;
        lookUntil(seconds);
        if ('reason' in found || seconds >= 600) break;
        for (const viewer of [prompt, late]) viewer[isLeave ? 'leave' : 'beat'](seconds);
      }
      lookUntil(10_000);
      expect(found).toHaveProperty('reason');
      expect(late.check(10_000)).toEqual(found);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, secondsOf, sessionOf, Viewer } from './viewer.fixture.ts';

const apiSession = sessionOf({ control: 'api', endsAt: at(10) });

test('who is silent for ninety seconds is gone, since the last heartbeat', () => {
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

test('who was heard of meanwhile is looked for ninety seconds after that', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.beat(80);
  expect(viewer.check(100)).toEqual({ again: 170 });
});

test('who closed the page is gone after a minute, since they closed it', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.leave(20);
  expect(viewer.check(79)).toEqual({ again: 80 });
  expect(viewer.check(80)).toMatchObject({ reason: 'closed', leftAt: at(20).toISOString() });
  expect(viewer.attendance).toMatchObject({ leftAt: at(20), checkAt: null, leavingAt: null });
});

test('what was on its way when the page was closed does not make it later', () => {
  const viewer = new Viewer();
  viewer.beat(10, { seq: 1 });
  viewer.leave(20, { seq: 3 });
  viewer.beat(21, { seq: 2 });
  viewer.beat(22, { seq: 1 });
  expect(viewer.check(80)).toMatchObject({ reason: 'closed', leftAt: at(20).toISOString() });
});

test('who closed the page and is back in time has never left', () => {
  const viewer = new Viewer();
  viewer.leave(20);
  viewer.open(30, 2);
  expect(viewer.beat(40, { visit: 2 }).events).toEqual([]);
  expect(viewer.check(80)).toEqual({ again: 130 });
});

test('who is there at the end has left with it, five seconds later', () => {
  const viewer = new Viewer();
  viewer.beat(590);
  viewer.beat(603);
  expect(viewer.check(604)).toEqual({ again: 605 });
  expect(viewer.check(605)).toMatchObject({ reason: 'session_ended', leftAt: at(600).toISOString() });
});

test('the end that was counts, not the one that was planned', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'ended', actualEndedAt: at(110) });
  expect(viewer.check(115)).toMatchObject({ reason: 'session_ended', leftAt: at(110).toISOString() });
});

test('a session that the API controls has not ended before it is told to', () => {
  const viewer = new Viewer({ session: apiSession });
  viewer.beat(100);
  expect(viewer.check(101)).toEqual({ again: 190 });
  viewer.setting.session = { ...apiSession, status: 'ended', actualEndedAt: at(120) };
  expect(viewer.check(121)).toEqual({ again: 125 });
  expect(viewer.check(125)).toMatchObject({ reason: 'session_ended', leftAt: at(120).toISOString() });
});

test('a session that was called off ended five seconds before it is closed', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'cancelled', closingAt: at(120) });
  expect(viewer.check(119)).toEqual({ again: 120 });
  expect(viewer.check(120)).toMatchObject({ reason: 'session_ended', leftAt: at(115).toISOString() });
});

test('who is still there when a session that was called off has been closed left when it was, or now', () => {
  const viewer = new Viewer();
  viewer.beat(100);
  viewer.setting.session = sessionOf({ status: 'cancelled', actualEndedAt: at(115) });
  const present = viewer.attendance;
  expect(viewer.check(130)).toMatchObject({ reason: 'session_ended', leftAt: at(115).toISOString() });
  viewer.attendance = present;
  viewer.setting.session = sessionOf({ status: 'cancelled' });
  expect(viewer.check(130)).toMatchObject({ reason: 'session_ended', leftAt: at(130).toISOString() });
});

test('who is not there does not leave', () => {
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
])('of several reasons the first one counts when somebody looks hours later: %s', (reason, beats, leave) => {
  const viewer = new Viewer();
  for (const seconds of beats) viewer.beat(seconds);
  if (leave !== undefined) viewer.leave(leave);
  const leftAt = reason === 'session_ended' ? 600 : (leave ?? beats.at(-1)!);
  expect(viewer.check(9000)).toMatchObject({ reason, leftAt: at(leftAt).toISOString() });
});

test('looking whenever it is due finds what looking late finds, and not a moment earlier', () => {
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

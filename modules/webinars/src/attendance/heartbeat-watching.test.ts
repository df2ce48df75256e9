import { expect, test } from 'vitest';
import { at, sessionOf, Viewer, webinarOf } from './viewer.fixture.ts';

const types = ({ events }: { events: { type: string; mark?: number }[] }): string[] =>
  events.map(({ type, mark }) => (mark ? `${type} ${mark}` : type));

const ownPace = webinarOf({ seekAllowed: true });

test('a second counts when the rounded ends of an interval enclose it', () => {
  const viewer = new Viewer();
  viewer.beat(20, {
    intervals: [
      [0.4, 1.4],
      [3.5, 4.4],
      [9.6, 8],
    ],
  });
  expect([...viewer.attendance.watched]).toEqual([0b1]);
  viewer.beat(20, { intervals: [[1.4, 2.5]] });
  expect([...viewer.attendance.watched]).toEqual([0b111]);
});

test('what was watched twice counts once, and nothing counts behind the end of the video', () => {
  const viewer = new Viewer({ webinar: ownPace });
  viewer.beat(500, {
    intervals: [
      [590, 600],
      [595, 700],
      [650, 660],
    ],
  });
  expect(viewer.attendance.watchedSeconds).toBe(10);
});

test('at a simulated live nobody is more than five seconds ahead of the clock', () => {
  const viewer = new Viewer({ openedAt: -300 });
  viewer.beat(10.9, { intervals: [[0, 100]] });
  expect(viewer.attendance.watchedSeconds).toBe(15);
});

test.each([
  ['where seeking is allowed', webinarOf({ seekAllowed: true }), {}],
  ['where late ones begin at the start', webinarOf({ lateJoin: 'from_start' }), {}],
  ['on demand', webinarOf(), { kind: 'on_demand' }],
  ['where the API controls it', webinarOf(), { control: 'api' }],
] as const)('the clock of the session bounds nobody %s', (_, webinar, session) => {
  const viewer = new Viewer({ webinar, session: sessionOf(session), openedAt: -300 });
  viewer.beat(10.9, { intervals: [[0, 100]] });
  expect(viewer.attendance.watchedSeconds).toBe(100);
});

test('a page adds no more than the time since it was opened and two seconds', () => {
  const viewer = new Viewer({ webinar: ownPace, openedAt: -300 });
  viewer.open(20, 2);
  viewer.beat(30.9, { visit: 2, intervals: [[0, 8]] });
  viewer.beat(30.9, { visit: 2, intervals: [[8, 60]] });
  expect(viewer.attendance.watchedSeconds).toBe(12);
  viewer.beat(31, { visit: 2, intervals: [[8, 60]] });
  expect(viewer.attendance.watchedSeconds).toBe(13);
});

test('all pages together add no more than the time since the first one and two seconds', () => {
  const viewer = new Viewer({ webinar: ownPace });
  for (const visit of [2, 3, 4]) viewer.open(0, visit);
  for (const visit of [1, 2, 3, 4]) viewer.beat(30, { visit, intervals: [[visit * 100, visit * 100 + 20]] });
  expect(viewer.attendance.watchedSeconds).toBe(32);
});

test('marks somebody waits for become events, behind the join and each only once', () => {
  const viewer = new Viewer({ webinar: ownPace, minutes: [1, 2], percents: [15, 20, 50], openedAt: -300 });
  expect(types(viewer.beat(10, { intervals: [[0, 150]] }))).toEqual([
    'joined',
    'watched_minutes 1',
    'watched_percent 15',
    'watched_minutes 2',
    'watched_percent 20',
  ]);
  expect(types(viewer.beat(20, { intervals: [[0, 160]] }))).toEqual([]);
});

test('the video is complete once, with the share the webinar asks for', () => {
  const attendance = { ...ownPace.attendance, completionPercent: 50 };
  const viewer = new Viewer({ webinar: { ...ownPace, attendance }, percents: [50, 60], openedAt: -500 });
  expect(types(viewer.beat(10, { intervals: [[0, 299]] }))).toEqual(['joined']);
  const { events } = viewer.beat(20, { intervals: [[0, 400]] });
  expect(types({ events })).toEqual(['watched_percent 50', 'video_complete', 'watched_percent 60']);
  expect(events[1]).toEqual({
    type: 'video_complete',
    occurredAt: at(20),
    data: { watchedSeconds: 400, completionPercent: 66 },
  });
  expect(types(viewer.beat(30, { intervals: [[0, 410]] }))).toEqual([]);
  expect(viewer.attendance.completedAt).toEqual(at(20));
});

import { expect, test } from 'vitest';
import { at, sessionOf, Viewer, webinarOf } from './viewer.fixture.ts';

const types = ({ events }: { events: { type: string; mark?: number }[] }): string[] =>
  events.map(({ type, mark }) => (mark ? `${type} ${mark}` : type));

const ownPace = webinarOf({ seekAllowed: true });
const fromStart = webinarOf({ lateJoin: 'from_start' });

test('a second counts if it is inside the rounded interval', () => {
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

test('a second counts once, and no second counts after the end of the video', () => {
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

test('without seeking, seconds count up to five seconds ahead of the live position', () => {
  const viewer = new Viewer({ openedAt: -300 });
  viewer.beat(10.9, { intervals: [[10, 100]] });
  expect(viewer.attendance.watchedSeconds).toBe(5);
});

test('earlier seconds count, even if the live position is further', () => {
  const viewer = new Viewer({ openedAt: 100 });
  viewer.beat(110, { intervals: [[0, 10]] });
  expect(viewer.attendance.watchedSeconds).toBe(10);
});

/** Heartbeats at second 210 of a session; the first visit was at second 200. */
test.each([
  ['together', webinarOf(), {}, 215],
  ['where late ones begin at the start', fromStart, {}, 15],
  ['on demand', webinarOf(), { kind: 'on_demand' }, 15],
  ['where the API controls it', webinarOf(), { control: 'api', actualStartedAt: at(180) }, 35],
  ['where the API controls it for late ones too', fromStart, { control: 'api' }, 215],
  ['where the API moved it', webinarOf(), { control: 'api', positionSeconds: 300 }, 515],
  ['where seeking is allowed', ownPace, {}, 600],
  [
    'where late ones begin at the start and may seek',
    webinarOf({ seekAllowed: true, lateJoin: 'from_start' }),
    {},
    600,
  ],
] as const)(
  'without seeking no attendee is further than a player can have come %s',
  (_, webinar, session, end) => {
    const viewer = new Viewer({ webinar, session: sessionOf(session), openedAt: 200 });
    viewer.beat(210, { intervals: [[end - 5, 600]] });
    viewer.beat(210.1, { intervals: [[end, 600]] });
    expect(viewer.attendance.watchedSeconds).toBe(5);
  },
);

test('a viewer at their own pace who waited for the start began at the start', () => {
  const viewer = new Viewer({ webinar: fromStart, openedAt: -300 });
  viewer.beat(10, { intervals: [[10, 100]] });
  expect(viewer.attendance.watchedSeconds).toBe(5);
});

test('marks that rules wait for become events once, after the join', () => {
  const viewer = new Viewer({ webinar: ownPace, minutes: [1, 2], percents: [5, 12, 15, 50] });
  expect(types(viewer.beat(90, { intervals: [[0, 90]] }))).toEqual([
    'joined',
    'watched_percent 5',
    'watched_minutes 1',
    'watched_percent 12',
    'watched_percent 15',
  ]);
  expect(types(viewer.beat(110, { intervals: [[0, 110]] }))).toEqual([]);
});

test('video_complete is published once, at the percent of the webinar', () => {
  const attendance = { ...ownPace.attendance, completionPercent: 50 };
  const viewer = new Viewer({ webinar: { ...ownPace, attendance }, percents: [50, 60] });
  const early = [80, 160, 240, 299].flatMap((to) => viewer.beat(to, { intervals: [[0, to]] }).events);
  expect(types({ events: early })).toEqual(['joined']);
  const { events } = viewer.beat(389, { intervals: [[0, 400]] });
  expect(types({ events })).toEqual(['watched_percent 50', 'video_complete', 'watched_percent 60']);
  expect(events[1]).toEqual({
    type: 'video_complete',
    occurredAt: at(389),
    data: { watchedSeconds: 389, completionPercent: 64 },
  });
  expect(types(viewer.beat(420, { intervals: [[0, 420]] }))).toEqual([]);
  expect(viewer.attendance.completedAt).toEqual(at(389));
});

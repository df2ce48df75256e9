import { expect, test } from 'vitest';
import type { Attendance } from '../entities/attendance.ts';
import { at, durationSeconds, sessionOf, Viewer, webinarOf, type Beat } from './viewer.fixture.ts';

const ownPace = webinarOf({ seekAllowed: true });

const createViewer = (openedAt = 0): Viewer => new Viewer({ webinar: ownPace, openedAt });

/** Sends a heartbeat and returns the seconds that it earned. */
function earn(viewer: Viewer, seconds: number, beat: Beat = {}): number {
  const before = viewer.attendance.watchedSeconds;
  viewer.beat(seconds, beat);
  return viewer.attendance.watchedSeconds - before;
}

const everything: Beat = { intervals: [[0, durationSeconds]] };

test('a single heartbeat earns at most 90 seconds', () => {
  expect(earn(createViewer(), 595, everything)).toBe(90);
});

test('the first heartbeat earns at most the time since the page was opened plus two seconds', () => {
  expect(earn(createViewer(), 30, everything)).toBe(32);
});

test('a heartbeat earns at most the time since the previous one', () => {
  const viewer = createViewer();
  expect(earn(viewer, 10, everything)).toBe(12);
  expect(earn(viewer, 20, everything)).toBe(10);
  expect(earn(viewer, 95, everything)).toBe(75);
});

test('after a silence of more than 90 seconds a heartbeat earns 90', () => {
  const viewer = createViewer();
  earn(viewer, 10, everything);
  expect(earn(viewer, 200, everything)).toBe(90);
  expect(earn(viewer, 210, everything)).toBe(10);
});

test('a new page earns nothing for the time before it was opened', () => {
  const viewer = createViewer();
  earn(viewer, 10, everything);
  viewer.check(100);
  viewer.open(300, 2);
  expect(earn(viewer, 305, { ...everything, visit: 2 })).toBe(7);
});

test('heartbeats without new seconds save at most five seconds', () => {
  const viewer = createViewer();
  for (let seconds = 10; seconds <= 300; seconds += 10) expect(earn(viewer, seconds)).toBe(0);
  expect(earn(viewer, 310, everything)).toBe(15);
  expect(earn(viewer, 320, everything)).toBe(10);
});

test('heartbeats with few new seconds save at most twenty seconds', () => {
  const viewer = createViewer();
  for (let n = 0; n < 30; n += 1)
    expect(earn(viewer, (n + 1) * 10, { intervals: [[500 + n, 501 + n]] })).toBe(1);
  expect(earn(viewer, 310, everything)).toBe(30);
  expect(earn(viewer, 320, everything)).toBe(10);
});

test('a repeated heartbeat neither uses time nor saves it', () => {
  const viewer = createViewer();
  earn(viewer, 10, { intervals: [[0, 10]], seq: 1 });
  expect(earn(viewer, 19, { ...everything, seq: 1 })).toBe(0);
  expect(earn(viewer, 20, { intervals: [[10, 20]], seq: 2 })).toBe(10);
});

test('a late heartbeat and the next one on time lose no second', () => {
  const viewer = createViewer();
  expect(earn(viewer, 10.4, { intervals: [[0, 10]] })).toBe(10);
  expect(earn(viewer, 20, { intervals: [[10, 20]] })).toBe(10);
  expect(earn(viewer, 47, { intervals: [[20, 30]] })).toBe(10);
  expect(earn(viewer, 47.5, { intervals: [[30, 46]] })).toBe(16);
});

test('fractions of a second are carried over', () => {
  const viewer = createViewer();
  let from = 0;
  for (const to of [9.7, 20.1, 29.6, 39.5, 49.49, 60.5]) {
    viewer.beat(to, { intervals: [[from, to]] });
    from = to;
  }
  expect(viewer.attendance.watchedSeconds).toBe(61);
  const liar = createViewer();
  for (let n = 1; n <= 100; n += 1) liar.beat(n * 1.7, everything);
  expect(liar.attendance.watchedSeconds).toBe(172);
});

test('all pages together earn at most the time that passed plus two seconds', () => {
  const viewer = createViewer();
  for (const visit of [2, 3, 4]) viewer.open(0, visit);
  for (let seconds = 10; seconds <= 60; seconds += 10)
    for (const visit of [1, 2, 3, 4]) {
      const from = visit * 100 + seconds;
      viewer.beat(seconds, { visit, intervals: [[from - 10, from]] });
    }
  expect(viewer.attendance.watchedSeconds).toBe(62);
});

test('repeatedly opened pages share the time, also dropped ones', () => {
  const viewer = createViewer();
  for (let visit = 2; visit <= 40; visit += 1) {
    viewer.open(visit, visit);
    viewer.beat(visit, { visit, ...everything });
  }
  expect(viewer.attendance.watchedSeconds).toBe(42);
});

test('after an idle time all pages together earn at most the time that passed plus twenty seconds', () => {
  const viewer = createViewer();
  for (const visit of [2, 3, 4]) viewer.open(0, visit);
  for (let seconds = 10; seconds <= 300; seconds += 10)
    for (const visit of [1, 2, 3, 4]) viewer.beat(seconds, { visit });
  for (const visit of [1, 2, 3, 4]) viewer.beat(310, { visit, ...everything });
  expect(viewer.attendance.watchedSeconds).toBe(30);
});

test('a paused page takes no time from a playing one', () => {
  const viewer = createViewer();
  viewer.open(0, 2);
  for (let seconds = 10; seconds <= 100; seconds += 10) {
    viewer.beat(seconds - 0.5, { visit: 2, state: 'paused' });
    expect(earn(viewer, seconds + (seconds % 20) / 4, { intervals: [[seconds - 10, seconds]] })).toBe(10);
  }
});

test('a second page earns at most the time since it was opened plus two seconds', () => {
  const viewer = createViewer();
  viewer.open(20, 2);
  expect(earn(viewer, 30.9, { visit: 2, intervals: [[0, 8]] })).toBe(8);
  expect(earn(viewer, 30.9, { visit: 2, intervals: [[8, 60]] })).toBe(4);
  expect(earn(viewer, 31, { visit: 2, intervals: [[8, 60]] })).toBe(1);
});

test('a heartbeat that arrives before earlier ones leaves their time', () => {
  const viewer = createViewer();
  earn(viewer, 10, { intervals: [[0, 10]], seq: 1 });
  expect(earn(viewer, 20.2, { seq: 3, state: 'paused' })).toBe(0);
  expect(earn(viewer, 21, { intervals: [[10, 20]], seq: 2 })).toBe(10);
});

test('time before the session is live earns nothing', () => {
  const unstored = sessionOf({ status: 'scheduled', actualStartedAt: null });
  expect(earn(new Viewer({ webinar: ownPace, session: unstored, openedAt: -60 }), 50, everything)).toBe(52);
  expect(earn(createViewer(-300), 10, everything)).toBe(12);
  const late = sessionOf({ control: 'api', startsAt: at(-200), actualStartedAt: at(40) });
  expect(earn(new Viewer({ webinar: ownPace, session: late, openedAt: -60 }), 50, everything)).toBe(12);
  const early = sessionOf({ control: 'api', startsAt: at(5000), endsAt: at(5600) });
  expect(earn(new Viewer({ webinar: ownPace, session: early, openedAt: -60 }), 50, everything)).toBe(52);
});

test('different clocks of processes earn nothing extra', () => {
  const viewer = createViewer();
  expect(earn(viewer, 10, everything)).toBe(12);
  expect(earn(viewer, 5, everything)).toBe(0);
  expect(earn(viewer, 13, everything)).toBe(3);
});

/** The row as stored by the version before budgets. */
function asStoredBefore(attendance: Attendance): Attendance {
  const visits = attendance.visits.map(({ id, startedAtMs, seqMax, seqSeen, creditedSeconds }) => ({
    id,
    startedAtMs,
    seqMax,
    seqSeen,
    creditedSeconds,
  }));
  return { ...attendance, visits };
}

test('an attendee in the middle of a session loses nothing in an update', () => {
  const viewer = createViewer();
  for (const seconds of [10, 20, 30]) viewer.beat(seconds, { intervals: [[seconds - 10, seconds]] });
  viewer.attendance = asStoredBefore(viewer.attendance);
  expect(earn(viewer, 40, { intervals: [[30, 40]] })).toBe(10);
  expect(earn(viewer, 50.5, { intervals: [[40, 50]] })).toBe(10);
  viewer.attendance = asStoredBefore(viewer.attendance);
  viewer.open(51, 2);
  expect(earn(viewer, 60, { intervals: [[50, 60]] })).toBe(10);
  expect(earn(viewer, 62, { visit: 2, intervals: [[51, 62]] })).toBe(2);
});

test('a page opened before an update, with its first heartbeat after it, counts from its opening', () => {
  const viewer = createViewer(5);
  viewer.attendance = asStoredBefore(viewer.attendance);
  expect(earn(viewer, 15, everything)).toBe(12);
});

test('unused time from before an update cannot be earned after it', () => {
  const viewer = createViewer();
  for (let seconds = 10; seconds <= 300; seconds += 10) viewer.beat(seconds);
  viewer.attendance = asStoredBefore(viewer.attendance);
  expect(earn(viewer, 310, everything)).toBe(30);
  const greedy = createViewer();
  for (let seconds = 10; seconds <= 300; seconds += 10) greedy.beat(seconds, everything);
  expect(greedy.attendance.watchedSeconds).toBe(302);
  greedy.attendance = asStoredBefore(greedy.attendance);
  expect(earn(greedy, 310, everything)).toBe(10);
  greedy.attendance = asStoredBefore(greedy.attendance);
  greedy.open(311, 2);
  expect(earn(greedy, 313, { visit: 2, ...everything })).toBe(3);
});

test('a page opened shortly before an update cannot earn the same time again', () => {
  const viewer = createViewer();
  viewer.beat(199);
  viewer.open(200, 2);
  viewer.beat(210, { visit: 2, intervals: [[0, 10]] });
  viewer.attendance = asStoredBefore(viewer.attendance);
  expect(earn(viewer, 212, { visit: 2, ...everything })).toBe(4);
});

test('the first heartbeat of a page without new seconds saves five seconds', () => {
  const viewer = createViewer();
  viewer.beat(10);
  expect(earn(viewer, 20, everything)).toBe(15);
});

import { expect, test } from 'vitest';
import { at, durationSeconds, sessionOf, Viewer, visitId, webinarOf } from './viewer.fixture.ts';

const types = ({ events }: { events: { type: string }[] }): string[] => events.map(({ type }) => type);

const ownPace = webinarOf({ seekAllowed: true });

test('the first heartbeat of a live session is a join', () => {
  const viewer = new Viewer();
  const { events, isJoin, segmentEnded } = viewer.beat(3);
  expect(events).toEqual([{ type: 'joined', occurredAt: at(3), data: {} }]);
  expect({ isJoin, segmentEnded }).toEqual({ isJoin: true, segmentEnded: false });
  expect(viewer.attendance).toMatchObject({
    firstJoinedAt: at(3),
    joinCount: 1,
    lastSeenAt: at(3),
    checkAt: at(93),
    leftAt: null,
  });
});

test('an attendee in the room does not join again, from any page', () => {
  const viewer = new Viewer();
  viewer.beat(3);
  viewer.open(10, 2);
  expect(viewer.beat(13)).toMatchObject({ events: [], isJoin: false });
  expect(viewer.beat(14, { visit: 2 })).toMatchObject({ events: [], isJoin: false });
  expect(viewer.attendance).toMatchObject({ joinCount: 1, lastSeenAt: at(14) });
});

test('heartbeats of an attendee in the room do not change checkAt, which is indexed', () => {
  const viewer = new Viewer();
  viewer.beat(3);
  viewer.beat(13);
  expect(viewer.attendance.checkAt).toEqual(at(93));
});

test('an attendee who comes back joins again, and firstJoinedAt stays', () => {
  const viewer = new Viewer();
  viewer.beat(3);
  expect(viewer.check(93)).toMatchObject({ reason: 'timeout' });
  expect(types(viewer.beat(200))).toEqual(['joined']);
  expect(viewer.attendance).toMatchObject({
    firstJoinedAt: at(3),
    joinCount: 2,
    leftAt: null,
    checkAt: at(290),
  });
});

test('before the start, heartbeats only update lastSeenAt', () => {
  const viewer = new Viewer({ openedAt: -60, minutes: [1] });
  const before = viewer.attendance;
  expect(viewer.beat(-10, { intervals: [[0, 60]], playheadSeconds: 60 })).toMatchObject({ events: [] });
  expect(viewer.attendance).toEqual({ ...before, lastSeenAt: at(-10) });
  expect(types(viewer.beat(0))).toEqual(['joined']);
});

test('heartbeats of attendees in the room count until five seconds after the end', () => {
  const viewer = new Viewer({ webinar: ownPace });
  viewer.beat(590, { intervals: [[0, 80]] });
  viewer.beat(604.999, { intervals: [[80, 95]] });
  expect(viewer.attendance.watchedSeconds).toBe(95);
  viewer.beat(605, { intervals: [[95, 96]] });
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 95, lastSeenAt: at(605) });
});

test('after the end no attendee joins, and their heartbeats do not count', () => {
  const viewer = new Viewer({ webinar: ownPace });
  expect(viewer.beat(601, { intervals: [[0, 10]] })).toMatchObject({ events: [], isJoin: false });
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 0, joinCount: 0, checkAt: null });
});

test('the five seconds start at the actual end, not at the planned end', () => {
  const session = sessionOf({ control: 'api', status: 'live', startsAt: at(5000), endsAt: at(5600) });
  const viewer = new Viewer({ session, openedAt: -100 });
  viewer.beat(100, { intervals: [[0, 10]] });
  viewer.setting.session = { ...session, status: 'ended', actualEndedAt: at(110) };
  viewer.beat(114, { intervals: [[10, 20]] });
  viewer.beat(115, { intervals: [[20, 30]] });
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 20, joinCount: 1 });
});

test('heartbeats of a cancelled session do not count', () => {
  const viewer = new Viewer({ session: sessionOf({ status: 'cancelled', closingAt: at(100) }) });
  expect(viewer.beat(99, { intervals: [[0, 10]] }).events).toEqual([]);
  expect(viewer.attendance.watchedSeconds).toBe(0);
});

test('a heartbeat of an unknown page is refused, also the last one of a page', () => {
  const viewer = new Viewer();
  expect(() => viewer.beat(3, { visit: 2 })).toThrow('The visit does not exist.');
  expect(() => viewer.leave(3, { visit: 2 })).toThrow('The visit does not exist.');
});

test('a repeated heartbeat only updates lastSeenAt', () => {
  const viewer = new Viewer();
  viewer.beat(10, { intervals: [[0, 10]], seq: 1 });
  const before = viewer.attendance;
  const again = viewer.beat(15, { intervals: [[10, 15]], seq: 1 });
  expect(again).toMatchObject({ events: [], isJoin: false });
  expect(again.attendance).toEqual({ ...before, lastSeenAt: at(15) });
});

test('a repeated heartbeat does not let an attendee join again', () => {
  const viewer = new Viewer();
  viewer.beat(10, { seq: 1 });
  viewer.check(100);
  expect(viewer.beat(110, { seq: 1 })).toMatchObject({ events: [], isJoin: false });
  expect(viewer.attendance.checkAt).toBeNull();
});

test('lastSeenAt never goes back', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.beat(9.5);
  expect(viewer.attendance.lastSeenAt).toEqual(at(10));
});

test('the position is the last playhead, inside the video', () => {
  const viewer = new Viewer();
  viewer.beat(10, { playheadSeconds: 9.6 });
  expect(viewer.attendance.positionSeconds).toBe(10);
  viewer.beat(20, { playheadSeconds: 9000 });
  expect(viewer.attendance.positionSeconds).toBe(durationSeconds);
});

test('a heartbeat that arrives after a later one adds watch time, but does not change the position', () => {
  const viewer = new Viewer();
  viewer.beat(20, { seq: 2, intervals: [[10, 20]] });
  viewer.leave(21, { seq: 3, intervals: [[20, 21]] });
  viewer.beat(21.5, { seq: 1, intervals: [[0, 10]] });
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 21, positionSeconds: 21, leavingAt: at(21) });
});

test('closing a page counts as a heartbeat and sets the next check to 60 s later', () => {
  const viewer = new Viewer();
  expect(types(viewer.leave(10, { intervals: [[0, 8]] }))).toEqual(['joined']);
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 8, leavingAt: at(10), checkAt: at(70) });
});

test('closing a page never moves the next check to a later time', () => {
  const viewer = new Viewer();
  viewer.beat(10);
  viewer.leave(50);
  expect(viewer.attendance).toMatchObject({ leavingAt: at(50), checkAt: at(100) });
});

test('a later heartbeat clears leavingAt, also one of another page', () => {
  const viewer = new Viewer();
  viewer.open(1, 2);
  viewer.leave(10);
  viewer.beat(12, { visit: 2 });
  expect(viewer.attendance.leavingAt).toBeNull();
});

test('a repeated last heartbeat keeps the first leavingAt', () => {
  const viewer = new Viewer();
  viewer.leave(10, { seq: 1 });
  viewer.leave(15, { seq: 1 });
  expect(viewer.attendance.leavingAt).toEqual(at(10));
});

test('a last heartbeat that arrives after a newer heartbeat of its page has no effect', () => {
  const viewer = new Viewer();
  viewer.beat(10, { seq: 2 });
  viewer.leave(11, { seq: 1 });
  expect(viewer.attendance).toMatchObject({ leavingAt: null, checkAt: at(100) });
});

test('an attendee who is not in the room cannot leave', () => {
  const viewer = new Viewer({ openedAt: -60 });
  viewer.leave(-10);
  expect(viewer.attendance).toMatchObject({ leavingAt: null, checkAt: null });
});

test('opening a second page only adds its visit', () => {
  const viewer = new Viewer({ openedAt: -60 });
  expect(viewer.attendance).toMatchObject({ firstVisitAt: at(-60), lastSeenAt: null, checkAt: null });
  viewer.leave(10, { intervals: [[0, 10]] });
  const before = viewer.attendance;
  viewer.open(20, 2);
  const unheard = { seqMax: 0, seqSeen: 0, creditedSeconds: 0 };
  // The page has two seconds of tolerance. All pages together began two seconds before the start, and used ten.
  const budget = { usedUntilMs: at(18).getTime(), sharedUntilMs: at(8).getTime() };
  const opened = { id: visitId(2), startedAtMs: at(20).getTime(), ...unheard, ...budget };
  expect(viewer.attendance).toEqual({ ...before, visits: [...before.visits, opened] });
});

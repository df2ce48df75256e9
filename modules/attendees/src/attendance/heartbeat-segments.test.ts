import type { Path } from '@service/webinars';
import { expect, test } from 'vitest';
import { at, segmentId, Viewer, webinarOf } from './viewer.fixture.ts';

const adaptive = webinarOf({}, { kind: 'adaptive' });

/** Welcome for 100 s, pricing for 50 s. The default path from there takes 50 s more. */
const path: Path = {
  segments: [
    { segmentId: segmentId(1), offsetSeconds: 0, durationSeconds: 100 },
    { segmentId: segmentId(2), offsetSeconds: 100, durationSeconds: 50 },
  ],
  currentId: segmentId(2),
  inTransition: false,
  moves: 1,
  totalSeconds: 200,
};

const createViewer = (changes: Partial<Path> = {}) =>
  new Viewer({
    webinar: adaptive,
    path: { ...path, ...changes },
    openedAt: -500,
    minutes: [1],
    percents: [20, 30, 50, 75],
  });

const types = ({ events }: { events: { type: string; mark?: number }[] }): string[] =>
  events.map(({ type, mark }) => (mark ? `${type} ${mark}` : type));

test('played seconds count at the position of their segment in the timeline', () => {
  const viewer = createViewer();
  viewer.beat(10, { intervals: [[0, 8]] });
  viewer.beat(20, { intervals: [[8, 16]], segmentId: segmentId(1) });
  const bytes = [...viewer.attendance.watched];
  expect(bytes.slice(0, 3)).toEqual([0, 0xff, 0]);
  expect(bytes.slice(12)).toEqual([0xf0, 0x0f]);
});

test('seconds after the end of a segment do not count for the next segment', () => {
  const viewer = createViewer();
  viewer.beat(100, { intervals: [[90, 120]], segmentId: segmentId(1) });
  expect(viewer.attendance.watchedSeconds).toBe(10);
});

test('heartbeats of a segment that the viewer never entered do not count', () => {
  const viewer = createViewer();
  expect(types(viewer.beat(10, { intervals: [[0, 40]], segmentId: segmentId(3), state: 'ended' }))).toEqual([
    'joined',
  ]);
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 0, positionSeconds: 0, path });
});

test('the position is that in the current segment', () => {
  const viewer = createViewer();
  viewer.beat(10, { playheadSeconds: 70 });
  expect(viewer.attendance.positionSeconds).toBe(50);
  viewer.beat(20, { playheadSeconds: 30, segmentId: segmentId(1) });
  expect(viewer.attendance.positionSeconds).toBe(50);
});

test('in a segment, seconds count up to the time since the first visit plus five seconds', () => {
  const viewer = createViewer();
  viewer.beat(60, { intervals: [[60, 100]], segmentId: segmentId(1) });
  expect(viewer.attendance.watchedSeconds).toBe(5);
  const late = new Viewer({ webinar: adaptive, path, openedAt: 50 });
  late.beat(60, { intervals: [[10, 50]] });
  expect(late.attendance.watchedSeconds).toBe(5);
});

test('100 percent is the duration of the path, not of the webinar', () => {
  const viewer = createViewer();
  expect(types(viewer.beat(50, { intervals: [[0, 50]] }))).toEqual(['joined', 'watched_percent 20']);
  expect(viewer.attendance.completionPercent).toBe(25);
});

test('segment_completed is published once, after the marks, which have in_transition', () => {
  const viewer = createViewer();
  viewer.beat(30, { intervals: [[0, 30]] });
  const ended = viewer.beat(45, { intervals: [[30, 45]], state: 'ended' });
  expect(ended).toMatchObject({ isJoin: false, segmentEnded: true });
  expect(ended.events).toEqual([
    {
      type: 'watched_percent',
      mark: 20,
      occurredAt: at(45),
      data: { watchedSeconds: 45, completionPercent: 22, in_transition: true },
    },
    {
      type: 'segment_completed',
      occurredAt: at(45),
      data: { segment_id: segmentId(2), watch_duration_seconds: 45 },
    },
  ]);
  expect(viewer.attendance.path).toEqual({ ...path, inTransition: true });
  expect(viewer.beat(50, { state: 'ended' })).toMatchObject({ events: [], segmentEnded: false });
});

test('segment_completed has the watch time of its segment only', () => {
  const viewer = createViewer();
  viewer.beat(10, { intervals: [[0, 100]], segmentId: segmentId(1) });
  const { events } = viewer.beat(20, { intervals: [[0, 5]], state: 'ended', segmentId: segmentId(2) });
  expect(events.at(-1)!.data.watch_duration_seconds).toBe(5);
});

test('marks passed between two segments have in_transition', () => {
  const viewer = createViewer({ inTransition: true });
  const { events } = viewer.beat(80, { intervals: [[0, 80]], segmentId: segmentId(1) });
  expect(types({ events })).toEqual([
    'joined',
    'watched_percent 20',
    'watched_minutes 1',
    'watched_percent 30',
  ]);
  expect(events.map(({ data }) => data.in_transition)).toEqual([undefined, true, true, true]);
  viewer.attendance = { ...viewer.attendance, path };
  const later = viewer.beat(130, { intervals: [[0, 50]] });
  expect(later.events.map(({ data }) => Object.keys(data))).toEqual([
    ['watchedSeconds', 'completionPercent'],
  ]);
});

test('the end of another segment does not end the current one', () => {
  const viewer = createViewer();
  expect(viewer.beat(10, { state: 'ended', segmentId: segmentId(1) }).segmentEnded).toBe(false);
  expect(viewer.attendance.path).toEqual(path);
});

test('the end of a video without segments publishes no segment_completed', () => {
  const viewer = new Viewer();
  expect(viewer.beat(10, { state: 'ended' })).toMatchObject({
    segmentEnded: false,
    events: [{ type: 'joined' }],
  });
});

test('a longer path does not lower the percent and passes no mark twice', () => {
  const viewer = createViewer({ totalSeconds: 100 });
  viewer.beat(50, { intervals: [[0, 50]] });
  expect(viewer.attendance.completionPercent).toBe(50);
  viewer.attendance = { ...viewer.attendance, path: { ...path, totalSeconds: 200 } };
  const { events } = viewer.beat(90, { intervals: [[0, 40]], segmentId: segmentId(1) });
  expect(types({ events })).toEqual(['watched_minutes 1']);
  expect(viewer.attendance).toMatchObject({ watchedSeconds: 90, completionPercent: 50 });
  expect(types(viewer.beat(150, { intervals: [[40, 100]], segmentId: segmentId(1) }))).toEqual([
    'watched_percent 75',
  ]);
});

test('after the path became shorter, the next heartbeat passes marks even without new seconds', () => {
  const viewer = createViewer();
  viewer.beat(50, { intervals: [[0, 50]] });
  viewer.attendance = { ...viewer.attendance, path: { ...path, totalSeconds: 50 } };
  const { events } = viewer.beat(60);
  expect(types({ events })).toEqual([
    'watched_percent 30',
    'watched_percent 50',
    'watched_percent 75',
    'video_complete',
  ]);
});

test('the first page sets the path, and later pages keep it', () => {
  const viewer = new Viewer({ webinar: adaptive });
  viewer.open(10, 2, path);
  expect(viewer.attendance.path).toEqual(path);
  viewer.open(20, 3, { ...path, currentId: segmentId(1) });
  expect(viewer.attendance.path).toEqual(path);
});

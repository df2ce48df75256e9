import { createEvaluation } from '@service/conditions/budget';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeartbeatInput } from '../../attendance/heartbeat-input.ts';
import { at, sessionOf, Viewer, visitId, webinarOf } from '../../attendance/viewer.fixture.ts';
import type { Attendance } from '../../entities/attendance.ts';
import { handleHeartbeats, type Heartbeats } from './heartbeats.ts';

const beatOf = (seq: number, fields: object = {}): HeartbeatInput =>
  HeartbeatInput.parse({
    visitId: visitId(1),
    seq,
    playheadSeconds: seq * 10,
    intervals: [[seq * 10 - 10, seq * 10]],
    state: 'playing',
    ...fields,
  });

type Found = Parameters<typeof handleHeartbeats>[0];

function foundAt(attendance: Attendance, seconds: number, changes: Partial<Found> = {}): Found {
  const { accountId, registrationId: id } = attendance;
  return {
    now: at(seconds),
    holder: { accountId, id, tokenVersion: 1, status: 'registered' },
    registration: undefined,
    session: sessionOf(),
    webinar: webinarOf(),
    attendance,
    found: attendance,
    minutes: [],
    percents: [],
    graph: undefined,
    interactions: [],
    shown: undefined,
    joinLinks: { clickUrlOf: () => '' },
    messages: new Map(),
    chatMessages: [],
    evaluation: createEvaluation(),
    ...changes,
  };
}

/** The attendance after heartbeats that were applied together at this time. */
const apply = (attendance: Attendance, seconds: number, ...beats: HeartbeatInput[]): Attendance =>
  handleHeartbeats(foundAt(attendance, seconds), beats as unknown as Heartbeats).attendance!;

test('heartbeats applied together earn the seconds of all of them', () => {
  const { attendance } = new Viewer();
  const after = apply(attendance, 32, beatOf(1), beatOf(2), beatOf(3));
  expect(after).toMatchObject({ watchedSeconds: 30, positionSeconds: 30, joinCount: 1 });
});

test('each heartbeat counts once: repeated alone or together it earns nothing', () => {
  const { attendance } = new Viewer();
  const after = apply(attendance, 32, beatOf(1), beatOf(2));
  const lie = { intervals: [[20, 30]] };
  expect(apply(after, 40, beatOf(1, lie)).watchedSeconds).toBe(20);
  expect(apply(after, 40, beatOf(1, lie), beatOf(2, lie)).watchedSeconds).toBe(20);
  expect(apply(after, 40, beatOf(2, lie), beatOf(4)).watchedSeconds).toBe(30);
  expect(apply(after, 40, beatOf(1, lie), beatOf(3)).watchedSeconds).toBe(30);
  // The highest number has already counted, one below it has not.
  const skipped = apply(after, 45, beatOf(4, { intervals: [] }));
  expect(apply(skipped, 50, beatOf(3), beatOf(4, { intervals: [[30, 40]] }))).toMatchObject({
    watchedSeconds: 30,
    positionSeconds: 40,
  });
});

test('before the session is live no number counts', () => {
  const { attendance } = new Viewer({ openedAt: -60 });
  const session = sessionOf({ status: 'scheduled', actualStartedAt: null });
  const early = foundAt(attendance, -10, { session });
  const waited = handleHeartbeats(early, [beatOf(1), beatOf(2)]).attendance!;
  expect(waited).toMatchObject({ watchedSeconds: 0, joinCount: 0, lastSeenAt: at(-10) });
  expect(apply(waited, 25, beatOf(1), beatOf(2)).watchedSeconds).toBe(20);
});

test('heartbeats of an unknown page are refused', () => {
  const { attendance } = new Viewer();
  const unknown = { visitId: visitId(9) };
  expect(() => apply(attendance, 30, beatOf(1, unknown), beatOf(2, unknown))).toThrow(
    expect.objectContaining({ code: 'visit_not_found' }),
  );
});

test('together they earn the same as one after the other at their times of sending', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      (lengths, isHeld) => {
        const honest = new Viewer();
        let { attendance } = new Viewer();
        let now = 0;
        let waiting: HeartbeatInput[] = [];
        for (const [index, length] of lengths.entries()) {
          const beat = beatOf(index + 1, { intervals: [[now, now + length]], playheadSeconds: now + length });
          now += length;
          honest.beat(now, beat);
          waiting.push(beat);
          if (isHeld[index] && index < lengths.length - 1) continue;
          attendance = apply(attendance, now, ...waiting);
          waiting = [];
        }
        expect(attendance.watchedSeconds).toBe(honest.attendance.watchedSeconds);
        expect(attendance.positionSeconds).toBe(honest.attendance.positionSeconds);
        expect(attendance.watched).toEqual(honest.attendance.watched);
      },
    ),
  );
});

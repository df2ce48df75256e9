// One attendee of a session that starts at second 0 and lasts ten minutes. All times are seconds since its start.
import { CreateWebinarInput, type Path, type Session, type Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import { HeartbeatInput } from './heartbeat-input.ts';
import {
  applyHeartbeat,
  applyLeave,
  openVisit,
  type HeartbeatResult,
  type HeartbeatContext,
} from './heartbeat.ts';
import { checkDeparture } from './departure.ts';

export const durationSeconds = 600;

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The id of a page. */
export const visitId = (n: number): string => idOf(100 + n);
/** The id of a segment. */
export const segmentId = (n: number): string => idOf(200 + n);

export const at = (seconds: number): Date => new Date(Date.UTC(2026, 11, 1, 17) + Math.round(seconds * 1000));

export const sessionOf = (changes: Partial<Session> = {}): Session => ({
  accountId: idOf(1),
  id: idOf(3),
  webinarId: idOf(2),
  kind: 'scheduled',
  control: 'clock',
  status: 'live',
  startsAt: at(0),
  endsAt: at(durationSeconds),
  actualStartedAt: at(0),
  actualEndedAt: null,
  timezone: 'UTC',
  recurrenceKey: null,
  positionSeconds: 0,
  currentSegmentId: null,
  closingAt: null,
  noShowAt: null,
  registeredCount: 0,
  wasBooked: false,
  createdAt: at(-3600),
  ...changes,
});

export function webinarOf(room: Partial<Webinar['room']> = {}, changes: Partial<Webinar> = {}): Webinar {
  const settings = CreateWebinarInput.parse({ title: 'Scaling', durationSeconds });
  return {
    accountId: idOf(1),
    id: idOf(2),
    ...settings,
    slug: 'scaling-k3f9x2',
    status: 'published',
    room: { ...settings.room, ...room },
    publishedAt: at(-7200),
    createdAt: at(-7200),
    updatedAt: at(-7200),
    ...changes,
  };
}

export type Beat = Omit<Partial<HeartbeatInput>, 'visitId'> & { visit?: number };

type Act = typeof applyHeartbeat;
type Setting = Omit<HeartbeatContext, 'now'>;

/** Page 1 opens at second 0 by default. Inputs are frozen, so a function that changes them throws. */
export class Viewer {
  attendance: Attendance;
  readonly setting: Setting;
  readonly #seqs = new Map<number, number>();

  constructor({
    path = null,
    openedAt = 0,
    ...setting
  }: Partial<Setting> & { path?: Path | null; openedAt?: number } = {}) {
    this.setting = { session: sessionOf(), webinar: webinarOf(), minutes: [], percents: [], ...setting };
    this.attendance = openVisit(undefined, openingOf(openedAt, { visit: 1, path }));
  }

  open(seconds: number, visit: number, path: Path | null = null): void {
    this.attendance = openVisit(freeze(this.attendance), openingOf(seconds, { visit, path }));
  }

  /** Numbers heartbeats automatically, per page. */
  beat(seconds: number, beat: Beat = {}): HeartbeatResult {
    return this.#send(applyHeartbeat, seconds, beat);
  }

  leave(seconds: number, beat: Beat = {}): HeartbeatResult {
    return this.#send(applyLeave, seconds, beat);
  }

  /** Returns the data of `left`, or the time of the next check. */
  check(seconds: number): Record<string, unknown> {
    const snapshot = { session: this.setting.session, now: at(seconds) };
    const { attendance, left } = checkDeparture(freeze(this.attendance), snapshot);
    this.attendance = attendance;
    return left ? left.data : { again: attendance.checkAt && secondsOf(attendance.checkAt) };
  }

  #send(act: Act, seconds: number, { visit = 1, ...beat }: Beat): HeartbeatResult {
    const seq = beat.seq ?? (this.#seqs.get(visit) ?? 0) + 1;
    const playheadSeconds = beat.intervals?.at(-1)?.[1] ?? 0;
    const input = { visitId: visitId(visit), state: 'playing', playheadSeconds, intervals: [], ...beat, seq };
    this.#seqs.set(visit, seq);
    const snapshot = { ...this.setting, now: at(seconds) };
    const beaten = act(freeze(this.attendance), freeze(HeartbeatInput.parse(input)), snapshot);
    this.attendance = beaten.attendance;
    return beaten;
  }
}

/** Seconds since the session's start. */
export const secondsOf = (time: Date): number => (time.getTime() - at(0).getTime()) / 1000;

const openingOf = (seconds: number, { visit, path }: { visit: number; path: Path | null }) => ({
  accountId: idOf(1),
  registrationId: idOf(4),
  webinarId: idOf(2),
  sessionId: idOf(3),
  visitId: visitId(visit),
  now: at(seconds),
  path,
});

function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

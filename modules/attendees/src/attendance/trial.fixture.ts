// Applies the same steps to a viewer and to the ledger, and compares both after each step.
import type { Path, Webinar } from '@service/webinars';
import { expect } from 'vitest';
import type { HeartbeatResult } from './heartbeat.ts';
import { Ledger, type Place } from './ledger.fixture.ts';
import { durationSeconds, segmentId, Viewer, webinarOf, type Beat } from './viewer.fixture.ts';
import { visitsMax } from './visits.ts';
import { countSeconds } from './watched.ts';

/** The segments of an adaptive webinar, in seconds. */
export const lengths = [200, 150, 250];

export const worlds = {
  together: {},
  'where seeking is allowed': { seekAllowed: true },
  'from the beginning': { lateJoin: 'from_start' as const },
  'through segments': { isAdaptive: true },
};
export type World = keyof typeof worlds;

interface Rules extends Partial<Webinar['room']> {
  isAdaptive?: boolean;
}

export interface Step {
  waitMs: number;
  skewMs: number;
  act: 'open' | 'beat' | 'leave' | 'check' | 'move';
  /** Index of the page. For a move, the index of the target segment. */
  page: number;
  /** Undefined means the current segment. */
  segment: number | undefined;
  beat: Required<Pick<Beat, 'seq' | 'intervals' | 'state' | 'playheadSeconds'>>;
}

const minutes = [1, 2, 3, 5, 8];
const percents = [10, 20, 25, 33, 50, 75, 90, 100];
const completionPercent = 80;
const openedAtMs = -60_000;

const offsetOf = (segment: number): number => lengths.slice(0, segment).reduce((sum, one) => sum + one, 0);

const path: Path = {
  segments: lengths.map((length, n) => ({
    segmentId: segmentId(n),
    offsetSeconds: offsetOf(n),
    durationSeconds: length,
  })),
  currentId: segmentId(0),
  inTransition: false,
  moves: 0,
  totalSeconds: durationSeconds,
};

export class Trial {
  readonly #viewer: Viewer;
  readonly #ledger: Ledger;
  readonly #pages = [1];
  /** Marks that were passed, in order. `#due` contains those that should be. */
  readonly #passed: string[] = [];
  readonly #due = new Set<string>();
  #current = 0;
  #totalSeconds = durationSeconds;
  #nowMs = openedAtMs;
  #latestMs = openedAtMs;

  constructor(world: World) {
    const { isAdaptive = false, ...room }: Rules = worlds[world];
    const webinar = webinarOf(room, { kind: isAdaptive ? 'adaptive' : 'standard' });
    this.#viewer = new Viewer({
      webinar: { ...webinar, attendance: { ...webinar.attendance, completionPercent } },
      path: isAdaptive ? path : null,
      openedAt: openedAtMs / 1000,
      minutes,
      percents,
    });
    this.#ledger = new Ledger({ maySeek: world === 'where seeking is allowed' });
    this.#ledger.open(openedAtMs, 1);
  }

  take({ waitMs, skewMs, act, ...step }: Step): void {
    this.#nowMs += waitMs;
    const nowMs = this.#nowMs + skewMs;
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    if (act === 'open') this.#open(nowMs);
    else if (act === 'check') this.#check(nowMs);
    else if (act === 'move') this.#move(step.page);
    else this.#send(act, nowMs, step);
  }

  /** Compares each second and the order of all marks. */
  end(): void {
    const { watched } = this.#viewer.attendance;
    const seconds = Array.from({ length: durationSeconds }, (_, n) => n);
    const isIn = (n: number): boolean => countSeconds(watched, n, n + 1) === 1;
    expect(seconds.filter(isIn)).toEqual(seconds.filter((n) => this.#ledger.seconds.has(n)));
    for (const [type, marks] of Object.entries({ watched_minutes: minutes, watched_percent: percents })) {
      const due = marks.map((mark) => `${type} ${mark}`).filter((mark) => this.#due.has(mark));
      expect(this.#passed.filter((mark) => mark.startsWith(type))).toEqual(due);
    }
  }

  #open(nowMs: number): void {
    const visit = this.#pages.length + 1;
    this.#pages.push(visit);
    this.#viewer.open(nowMs / 1000, visit);
    this.#ledger.open(nowMs, visit);
  }

  #check(nowMs: number): void {
    if ('reason' in this.#viewer.check(nowMs / 1000)) this.#ledger.isThere = false;
  }

  /** A move can make the total duration longer or shorter. */
  #move(way: number): void {
    const { attendance } = this.#viewer;
    if (!attendance.path) return;
    this.#current = way % lengths.length;
    this.#totalSeconds = durationSeconds + way * 100;
    const moved = {
      currentId: segmentId(this.#current),
      inTransition: false,
      totalSeconds: this.#totalSeconds,
    };
    this.#viewer.attendance = { ...attendance, path: { ...attendance.path, ...moved } };
  }

  #send(
    act: 'beat' | 'leave',
    nowMs: number,
    { page, segment, beat }: Pick<Step, 'page' | 'segment' | 'beat'>,
  ): void {
    const known = this.#pages.slice(-visitsMax);
    const visit = known[page % known.length]!;
    const { attendance: before } = this.#viewer;
    const bytes = Buffer.from(before.watched);
    const wasThere = this.#ledger.isThere;
    const counted = this.#ledger.hear(nowMs, { visit, ...beat }, this.#placeOf(segment));
    const sent = { ...beat, visit, segmentId: segment === undefined ? undefined : segmentId(segment) };
    const result = this.#viewer[act](nowMs / 1000, sent);
    expect(result.isJoin).toBe(counted && !wasThere);
    expect(bytes.equals(before.watched)).toBe(true);
    this.#compare(before.watchedSeconds);
    this.#compareMarks(result, counted);
  }

  #placeOf(segment = this.#current): Place {
    if (!this.#viewer.attendance.path) return { offset: 0, length: durationSeconds };
    return { offset: offsetOf(segment), length: lengths[segment] ?? 0 };
  }

  #compare(secondsBefore: number): void {
    const { watched, watchedSeconds } = this.#viewer.attendance;
    expect(watchedSeconds).toBe(this.#ledger.seconds.size);
    expect(countSeconds(watched, 0, 86_400)).toBe(watchedSeconds);
    expect(watchedSeconds).toBeGreaterThanOrEqual(secondsBefore);
    expect(watchedSeconds - secondsBefore).toBeLessThanOrEqual(90);
    expect(watchedSeconds).toBeLessThanOrEqual(durationSeconds);
    expect(watchedSeconds).toBeLessThanOrEqual((this.#latestMs - openedAtMs) / 1000 + 2);
  }

  #compareMarks({ events, isJoin }: HeartbeatResult, counted: boolean): void {
    const watched = this.#ledger.seconds.size;
    const isReached = (percent: number): boolean => watched * 100 >= percent * this.#totalSeconds;
    if (counted) {
      for (const mark of minutes) if (watched >= mark * 60) this.#due.add(`watched_minutes ${mark}`);
      for (const mark of percents) if (isReached(mark)) this.#due.add(`watched_percent ${mark}`);
      if (isReached(completionPercent)) this.#due.add('video_complete');
    }
    const passed = events.filter(({ type }) => type !== 'joined' && type !== 'segment_completed');
    expect(events.slice(isJoin ? 1 : 0).slice(0, passed.length)).toEqual(passed);
    const seconds = passed.map(({ type, mark = completionPercent }) =>
      type === 'watched_minutes' ? mark * 60 : Math.ceil((mark * this.#totalSeconds) / 100),
    );
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
    for (const { data } of passed) expect(data.watchedSeconds).toBe(watched);
    this.#passed.push(...passed.map(({ type, mark }) => (mark ? `${type} ${mark}` : type)));
    expect(this.#passed.toSorted()).toEqual([...this.#due].toSorted());
  }
}

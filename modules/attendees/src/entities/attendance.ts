import { entityRow, partialRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { InteractionType, Path } from '@service/webinars';

/** The time for which one page of an attendee is or was open. */
export interface Visit {
  id: string;
  /** Milliseconds since 1970, like all times here. */
  startedAtMs: number;
  /** The highest heartbeat number that counted. 0 before the first. */
  seqMax: number;
  /** Bit mask of the 32 numbers up to seqMax that have counted. Bit 0 is seqMax. */
  seqSeen: number;
  /** Seconds of the video that this visit has added. */
  creditedSeconds: number;
  /** Time before this moment is used up. Missing in rows from versions before 2026-11-22; see watch-budget.ts. */
  usedUntilMs?: number;
  /** Like usedUntilMs, for all pages together, at the last heartbeat of this visit. */
  sharedUntilMs?: number;
}

/** The path of a replay visit through the segments of an adaptive webinar. */
export interface ReplayPath {
  visitId: string;
  path: Path;
}

/**
 * One row per attendee, from the first visit on. Every call of the attendee locks this row, so that two tabs are one attendee.
 * Heartbeats rewrite it every ten seconds, so no index contains a column that they change.
 */
export const Attendance = defineEntity({
  name: 'Attendance',
  tableName: 'attendance',
  schema: 'attendees',
  indexes: [
    { name: 'attendance_check_index', properties: ['checkAt'], where: 'check_at is not null' },
    {
      name: 'attendance_present_index',
      properties: ['accountId', 'sessionId'],
      where: 'check_at is not null',
    },
    {
      name: 'attendance_joined_index',
      properties: ['accountId', 'webinarId', 'registrationId'],
      where: 'first_joined_at is not null',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    registrationId: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    /** The newest visit is the last; see visits.ts. */
    visits: p.json<Visit[]>(),
    firstVisitAt: p.datetime(3),
    firstJoinedAt: p.datetime(3).nullable(),
    joinCount: p.integer().default(0),
    lastSeenAt: p.datetime(3).nullable(),
    /** Time at which a page was closed, if no page has sent a heartbeat since. */
    leavingAt: p.datetime(3).nullable(),
    leftAt: p.datetime(3).nullable(),
    /** Time of the next presence check. Null while the attendee is not in the room. */
    checkAt: p.datetime(3).nullable(),
    positionSeconds: p.integer().default(0),
    /** One bit per second of the video, the lowest bit of a byte first. */
    watched: p.blob().defaultRaw(`'\\x'`),
    watchedSeconds: p.integer().default(0),
    /** The highest watched percent ever reached. Not the setting of a webinar with this name; see the glossary. */
    completionPercent: p.integer().default(0),
    completedAt: p.datetime(3).nullable(),
    /** First time in the replay. Watching it changes nothing else: it earns no watch time, and a no-show stays one. */
    replayWatchedAt: p.datetime(3).nullable(),
    /** Clicked interactions: type by interaction id. */
    clicks: p.json<Record<string, InteractionType>>().defaultRaw(`'{}'`),
    /** Answered polls: option ids by interaction id. */
    answers: p.json<Record<string, string[]>>().defaultRaw(`'{}'`),
    /** Ids of the viewed interactions. */
    views: p.json<string[]>().defaultRaw(`'[]'`),
    /** The path through the segments of an adaptive webinar. */
    path: p.json<Path>().nullable(),
    /** Of the newest replay visit, so that `path` stays that of the session. */
    replayPath: p.json<ReplayPath>().nullable(),
  },
});

export type Attendance = InferEntity<typeof Attendance>;

export const attendanceRow = entityRow(Attendance);

const factColumns = [
  'registrationId',
  'firstJoinedAt',
  'lastSeenAt',
  'leftAt',
  'watchedSeconds',
  'completionPercent',
  'completedAt',
  'clicks',
  'answers',
] as const;

/** The columns of an attendance that conditions and events need. Leaves out `watched`, the largest one. */
export const attendanceFactsRow = partialRow(Attendance, factColumns);

/** The columns of an attendance that the presence check needs. */
export const presenceRow = partialRow(Attendance, [
  'accountId',
  'webinarId',
  'sessionId',
  'firstVisitAt',
  'leavingAt',
  'checkAt',
  'positionSeconds',
  ...factColumns,
]);

/** An attendance as the presence check reads it. */
export type Presence = ReturnType<typeof presenceRow.toEntity>;

/** The part of an attendance that conditions and events use. */
export interface AttendanceFacts {
  joined: boolean;
  watchedSeconds: number;
  watchedPercent: number;
  completed: boolean;
  clicks: Readonly<Record<string, InteractionType>>;
  answers: Readonly<Record<string, readonly string[]>>;
}

/** The facts of an attendee without a visit. */
export const nothingDone: AttendanceFacts = {
  joined: false,
  watchedSeconds: 0,
  watchedPercent: 0,
  completed: false,
  clicks: {},
  answers: {},
};

export const factsOfAttendance = (
  attendance: Pick<Attendance, (typeof factColumns)[number]>,
): AttendanceFacts => ({
  joined: attendance.firstJoinedAt !== null,
  watchedSeconds: attendance.watchedSeconds,
  watchedPercent: attendance.completionPercent,
  completed: attendance.completedAt !== null,
  clicks: attendance.clicks,
  answers: attendance.answers,
});

import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { InteractionType, Path } from '@service/webinars';

/** The time for which one page of an attendee is or was open. */
export interface Visit {
  id: string;
  /** Milliseconds since 1970, like every time in it. */
  startedAtMs: number;
  /** The highest number of a heartbeat that counted; 0 before the first. */
  seqMax: number;
  /** Which of the 32 numbers up to seqMax have counted: bit 0 is seqMax itself. */
  seqSeen: number;
  /** Seconds of the video that only this visit has added. */
  creditedSeconds: number;
  /** The page has used up its time before this moment. Missing in rows of versions before 2026-11-22; see watch-budget.ts. */
  usedUntilMs?: number;
  /** The same for all pages together, as this visit left it. */
  sharedUntilMs?: number;
}

/**
 * The activity of one attendee in their session, from the first visit on. Each of their calls locks this row, so that two tabs
 * are one attendee. Heartbeats update it every ten seconds, so a column that they change must not be in an index.
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
  ],
  properties: {
    accountId: p.uuid().primary(),
    registrationId: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    /** The newest last; see visits.ts. */
    visits: p.json<Visit[]>(),
    firstVisitAt: p.datetime(3),
    firstJoinedAt: p.datetime(3).nullable(),
    joinCount: p.integer().default(0),
    lastSeenAt: p.datetime(3).nullable(),
    /** When a page reported that it is being closed, if no page has sent a heartbeat since. */
    leavingAt: p.datetime(3).nullable(),
    leftAt: p.datetime(3).nullable(),
    /** When the clock checks whether they are still in the room; null while they are not in it. */
    checkAt: p.datetime(3).nullable(),
    positionSeconds: p.integer().default(0),
    /** A bit for each second of the video, the lowest bit of a byte first. */
    watched: p.blob().defaultRaw(`'\\x'`),
    watchedSeconds: p.integer().default(0),
    completionPercent: p.integer().default(0),
    completedAt: p.datetime(3).nullable(),
    /** The clicked interactions: type by id. */
    clicks: p.json<Record<string, InteractionType>>().defaultRaw(`'{}'`),
    /** The answers: ids of options by the id of the poll. */
    answers: p.json<Record<string, string[]>>().defaultRaw(`'{}'`),
    /** Only in an adaptive webinar: the path through its segments. */
    path: p.json<Path>().nullable(),
  },
});

export type Attendance = InferEntity<typeof Attendance>;

/** The parts of an attendance that conditions and events use. */
export interface AttendanceFacts {
  joined: boolean;
  watchedSeconds: number;
  completionPercent: number;
  completed: boolean;
  clicks: Readonly<Record<string, InteractionType>>;
  answers: Readonly<Record<string, readonly string[]>>;
}

/** The facts of a registration without attendance. */
export const nothingDone: AttendanceFacts = {
  joined: false,
  watchedSeconds: 0,
  completionPercent: 0,
  completed: false,
  clicks: {},
  answers: {},
};

export const factsOfAttendance = (attendance: Attendance): AttendanceFacts => ({
  joined: attendance.firstJoinedAt !== null,
  watchedSeconds: attendance.watchedSeconds,
  completionPercent: attendance.completionPercent,
  completed: attendance.completedAt !== null,
  clicks: attendance.clicks,
  answers: attendance.answers,
});

import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { InteractionType } from '../interaction/interaction.ts';
import type { Path } from './path.ts';
import type { Visit } from './visits.ts';

/**
 * What somebody has done in their session: one row, from their first visit on. Everything they do holds this row, so that two
 * tabs are one attendee. Heartbeats rewrite it every ten seconds, so no index may hold what they change.
 */
export const Attendance = defineEntity({
  name: 'Attendance',
  tableName: 'attendance',
  schema: 'webinars',
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
    /** When a page said that it is being closed and none has been heard of since. */
    leavingAt: p.datetime(3).nullable(),
    leftAt: p.datetime(3).nullable(),
    /** When to look whether they are still there; null while they are not. */
    checkAt: p.datetime(3).nullable(),
    positionSeconds: p.integer().default(0),
    /** A bit for each second of the video, the lowest bit of a byte first. */
    watched: p.blob().defaultRaw(`'\\x'`),
    watchedSeconds: p.integer().default(0),
    completionPercent: p.integer().default(0),
    completedAt: p.datetime(3).nullable(),
    /** What was clicked: the interaction's type by its id. */
    clicks: p.json<Record<string, InteractionType>>().defaultRaw(`'{}'`),
    /** What was answered: the ids of options by that of the poll. */
    answers: p.json<Record<string, string[]>>().defaultRaw(`'{}'`),
    /** Ids of the interactions that were viewed. */
    views: p.json<string[]>().defaultRaw(`'[]'`),
    /** Of an adaptive webinar, the way through its segments. */
    path: p.json<Path>().nullable(),
  },
});

export type Attendance = InferEntity<typeof Attendance>;

/** What of it conditions and events look at. */
export interface AttendanceFacts {
  joined: boolean;
  watchedSeconds: number;
  completionPercent: number;
  completed: boolean;
  clicks: Readonly<Record<string, InteractionType>>;
  answers: Readonly<Record<string, readonly string[]>>;
}

/** Of somebody who has never been there. */
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

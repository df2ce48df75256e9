import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { sessionControls, sessionKinds, sessionStatuses } from './enums.ts';

/** One run of a webinar. A webinar has at most one session of each kind per start. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  schema: 'webinars',
  uniques: [
    {
      name: 'session_webinar_kind_starts_at_unique',
      properties: ['accountId', 'webinarId', 'kind', 'startsAt'],
    },
  ],
  indexes: [
    { name: 'session_webinar_index', properties: ['accountId', 'webinarId', 'id'] },
    // The session clock searches all accounts with these indexes.
    {
      name: 'session_start_index',
      properties: ['startsAt'],
      where: `control = 'clock' and status = 'scheduled'`,
    },
    { name: 'session_end_index', properties: ['endsAt'], where: `control = 'clock' and status = 'live'` },
    { name: 'session_closing_index', properties: ['closingAt'], where: 'closing_at is not null' },
    { name: 'session_no_show_index', properties: ['noShowAt'], where: 'no_show_at is not null' },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    kind: p.enum(sessionKinds),
    control: p.enum(sessionControls),
    /** For a session with control `clock` it can be out of date: see statusAt. */
    status: p.enum(sessionStatuses),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    actualStartedAt: p.datetime(3).nullable(),
    actualEndedAt: p.datetime(3).nullable(),
    timezone: p.text(),
    /** Recurrence that the session comes from. Null for other sessions. */
    recurrenceKey: p.text().nullable(),
    /** Position set by the last `seek` of an API-controlled session. */
    positionSeconds: p.integer(),
    /** Segment set by the last `advance` of an API-controlled session. */
    currentSegmentId: p.uuid().nullable(),
    /** Time at which attendees who are still in the room count as left. Null before the end and after that is done. */
    closingAt: p.datetime(3).nullable(),
    /** Time at which absent attendees become no-shows. Null before the end and after that is done. */
    noShowAt: p.datetime(3).nullable(),
    /** Registrations that are not cancelled; see places.ts. */
    registeredCount: p.integer().default(0),
    /** True if any registration refers to it, also a cancelled one. Then the row must stay. */
    wasBooked: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

export type Session = InferEntity<typeof Session>;

export const sessionRow = entityRow(Session);

import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const sessionKinds = ['scheduled', 'just_in_time', 'on_demand'] as const;
export const sessionControls = ['clock', 'api'] as const;
export const sessionStatuses = ['scheduled', 'live', 'ended', 'cancelled'] as const;

/** One occurrence of a webinar: at most one of a kind for a webinar and a start. */
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
    // The session clock reads these four over all accounts.
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
    kind: p.text().$type<(typeof sessionKinds)[number]>(),
    control: p.text().$type<(typeof sessionControls)[number]>(),
    /** As stored. A session that runs by the clock may be further on: see statusAt. */
    status: p.text().$type<(typeof sessionStatuses)[number]>(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    actualStartedAt: p.datetime(3).nullable(),
    actualEndedAt: p.datetime(3).nullable(),
    timezone: p.text(),
    /** The recurrence that the session comes from; null if it was made in another way. */
    recurrenceKey: p.text().nullable(),
    /** Only of a session that the API controls: its position as last set. */
    positionSeconds: p.integer(),
    /** Only of an adaptive session that the API controls: the segment it was last moved to. */
    currentSegmentId: p.uuid().nullable(),
    /** When the attendees who are still in the room are checked out. Null before the end, and once it is done. */
    closingAt: p.datetime(3).nullable(),
    /** When the registrations without attendance become no-shows. Null before the end, and once it is done. */
    noShowAt: p.datetime(3).nullable(),
    /** Registrations that are not cancelled; see places.ts. */
    registeredCount: p.integer().default(0),
    /** Whether any registration refers to it, also a cancelled one. Then the row must stay. */
    wasBooked: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

export type Session = InferEntity<typeof Session>;
export type SessionKind = Session['kind'];
export type SessionStatus = Session['status'];

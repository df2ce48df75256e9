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
    // What the session clock looks for, in every account.
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
    /** Of a session that runs by the clock, what the clock says may be further on: see statusAt. */
    status: p.text().$type<(typeof sessionStatuses)[number]>(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    actualStartedAt: p.datetime(3).nullable(),
    actualEndedAt: p.datetime(3).nullable(),
    timezone: p.text(),
    /** The recurrence that asked for it; null for one that was made in another way. */
    recurrenceKey: p.text().nullable(),
    /** Of a session that the API controls, where it was last put. */
    positionSeconds: p.integer(),
    /** Where a call has put an adaptive one that the API controls. */
    currentSegmentId: p.uuid().nullable(),
    /** When those who are still there are to be counted as gone; null once they are, and before the end. */
    closingAt: p.datetime(3).nullable(),
    /** When those who never came are to be called no-shows; null once they are, and before the end. */
    noShowAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

export type Session = InferEntity<typeof Session>;
export type SessionKind = Session['kind'];
export type SessionStatus = Session['status'];

import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const sessionStatuses = ['scheduled', 'live', 'ended', 'cancelled'] as const;

/** One occurrence of a webinar. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  schema: 'webinars',
  uniques: [{ name: 'session_webinar_starts_at_unique', properties: ['accountId', 'webinarId', 'startsAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    status: p.text().$type<(typeof sessionStatuses)[number]>(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
});

export type Session = InferEntity<typeof Session>;

import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const webinarStatuses = ['draft', 'published', 'archived'] as const;

/** `draft -> published -> archived`. */
export const Webinar = defineEntity({
  name: 'Webinar',
  tableName: 'webinar',
  schema: 'webinars',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    title: p.text(),
    description: p.text().nullable(),
    timezone: p.text(),
    durationSeconds: p.integer(),
    status: p.text().$type<(typeof webinarStatuses)[number]>(),
    publishedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Webinar = InferEntity<typeof Webinar>;

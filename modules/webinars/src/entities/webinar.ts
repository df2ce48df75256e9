import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Schedule } from '../schedule/schedule.ts';
import type {
  AttendanceInput,
  AttributionInput,
  RegistrationFormInput,
  RegistrationPageSettingsInput,
  ReplayInput,
  RoomInput,
  VideoInput,
} from './webinar-settings.ts';
import { webinarKinds, webinarStatuses } from './enums.ts';

/**
 * `draft <-> published -> archived -> draft`. A deleted webinar stays as a row, because the history of other modules refers to its id. For
 * clients, archived and deleted webinars do not exist. Members read archived ones.
 */
export const Webinar = defineEntity({
  name: 'Webinar',
  tableName: 'webinar',
  schema: 'webinars',
  indexes: [
    {
      // The end of the slug names one webinar of all workspaces.
      name: 'webinar_slug_end_index',
      expression: 'create unique index webinar_slug_end_index on webinars.webinar (right(slug, 6))',
    },
    {
      name: 'webinar_title_index',
      expression: 'create index webinar_title_index on webinars.webinar (account_id, lower(title), id)',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    title: p.text(),
    publicTitle: p.text().nullable(),
    /** The words that the owner may change, a hyphen, and an end that never changes. */
    slug: p.text(),
    description: p.text().nullable(),
    kind: p.enum(webinarKinds),
    status: p.enum([...webinarStatuses, 'deleted']),
    locale: p.text(),
    timezone: p.text(),
    durationSeconds: p.integer(),
    video: p.json<z.output<typeof VideoInput>>().nullable(),
    schedule: p.json<Schedule>(),
    room: p.json<z.output<typeof RoomInput>>(),
    replay: p.json<z.output<typeof ReplayInput>>(),
    registrationForm: p.json<z.output<typeof RegistrationFormInput>>(),
    registrationPage: p
      .json<z.output<typeof RegistrationPageSettingsInput>>()
      .defaultRaw(`'{"takeaways": [], "presenters": [], "linksByMailOnly": false}'`),
    attendance: p.json<z.output<typeof AttendanceInput>>(),
    attribution: p.json<z.output<typeof AttributionInput>>(),
    publishedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Webinar = InferEntity<typeof Webinar>;

export const webinarRow = entityRow(Webinar);

/** The title that attendees see. */
export const publicTitleOf = ({ publicTitle, title }: Pick<Webinar, 'publicTitle' | 'title'>): string =>
  publicTitle ?? title;

/**
 * The one predicate for archiving. Only a published webinar accepts events: in any other its room is closed, its clock publishes
 * nothing, and automations skips its timers.
 */
export const acceptsEvents = ({ status }: Pick<Webinar, 'status'>): boolean => status === 'published';

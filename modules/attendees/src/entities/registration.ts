import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { registrationSources, registrationStatuses } from './registration-sets.ts';

/** The answer to a consent text. Null on a registration: it was not asked. */
export interface Consent {
  given: boolean;
  /** The text that the person saw. Null: the caller did not say. */
  text: string | null;
  /** ISO 8601. */
  at: string;
}

/** A session has at most one registration per e-mail address that is not cancelled. */
export const Registration = defineEntity({
  name: 'Registration',
  tableName: 'registration',
  schema: 'attendees',
  uniques: [
    {
      name: 'registration_live_unique',
      properties: ['accountId', 'sessionId', 'email'],
      where: `status <> 'cancelled'`,
    },
  ],
  indexes: [
    { name: 'registration_webinar_index', properties: ['accountId', 'webinarId', 'id'] },
    { name: 'registration_email_index', properties: ['accountId', 'email', 'id'] },
    {
      name: 'registration_session_status_index',
      expression: `create index registration_session_status_index on attendees.registration
        (account_id, session_id, id) include (status)`,
    },
    { name: 'registration_status_index', properties: ['accountId', 'webinarId', 'status', 'id'] },
    { name: 'registration_test_index', properties: ['registeredAt'], where: `status = 'test'` },
    {
      name: 'registration_purchased_index',
      properties: ['accountId', 'webinarId', 'id'],
      where: 'purchased',
    },
    {
      name: 'registration_search_index',
      expression: `create index registration_search_index on attendees.registration
        using gin (attendees.search_terms(account_id, name, email)) with (gin_pending_list_limit = 256)`,
    },
  ],
  triggers: [
    {
      name: 'registration_status_update',
      timing: 'after',
      events: ['update'],
      forEach: 'statement',
      expression: `create trigger registration_status_update after update on attendees.registration
        referencing old table as former new table as later for each statement execute function attendees.count_statuses()`,
    },
    {
      name: 'registration_status_delete',
      timing: 'after',
      events: ['delete'],
      forEach: 'statement',
      expression: `create trigger registration_status_delete after delete on attendees.registration
        referencing old table as former for each statement execute function attendees.count_statuses()`,
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    timezone: p.text().nullable(),
    locale: p.text().nullable(),
    customFields: p.json<Record<string, string>>().defaultRaw(`'{}'`),
    utmSource: p.text().nullable(),
    utmMedium: p.text().nullable(),
    utmCampaign: p.text().nullable(),
    utmTerm: p.text().nullable(),
    utmContent: p.text().nullable(),
    referrer: p.text().nullable(),
    source: p.enum(registrationSources),
    /** Data of the integrator, returned unchanged. */
    metadata: p.json<Record<string, string>>().defaultRaw(`'{}'`),
    consent: p.json<Consent>().nullable(),
    /** `test` is no status that callers see; see test-attendee.ts. */
    status: p.enum([...registrationStatuses, 'test']).default('registered'),
    /** Part of the join link. Raising it makes the old link invalid. */
    tokenVersion: p.integer().default(1),
    /** The id contains this time too, so a range of times is a range of ids. */
    registeredAt: p.datetime(3),
    cancelledAt: p.datetime(3).nullable(),
    /** A purchase is credited to this registration. Written by the module revenue through `setPurchased`. */
    purchased: p.boolean().default(false),
  },
});

/**
 * The registrations of a session in each status but `registered`: the sum of its rows. A trigger changes them in the transaction that changes
 * a registration (`migrations/202611271001-count-statuses-of-sessions.ts`).
 */
export const StatusCount = defineEntity({
  name: 'StatusCount',
  tableName: 'status_count',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    attending: p.integer(),
    attended: p.integer(),
    noShow: p.integer(),
    cancelled: p.integer(),
  },
});

export type Registration = InferEntity<typeof Registration>;

export const registrationRow = entityRow(Registration);

/** The status as callers see it. They never see a test attendee. */
export const statusOf = ({ status }: Pick<Registration, 'status'>) =>
  status as (typeof registrationStatuses)[number];

/** The UTM parameters of a registration, null where it has none. */
export const utmOf = (registration: Registration) => ({
  source: registration.utmSource ?? null,
  medium: registration.utmMedium ?? null,
  campaign: registration.utmCampaign ?? null,
  term: registration.utmTerm ?? null,
  content: registration.utmContent ?? null,
});

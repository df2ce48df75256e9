import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const registrationSources = ['api', 'dashboard'] as const;

/** A person booked into a session: at most one for a session and an e-mail address. */
export const Registration = defineEntity({
  name: 'Registration',
  tableName: 'registration',
  schema: 'webinars',
  uniques: [{ name: 'registration_session_email_unique', properties: ['accountId', 'sessionId', 'email'] }],
  indexes: [{ name: 'registration_webinar_index', properties: ['accountId', 'webinarId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    name: p.text(),
    email: p.text(),
    utmSource: p.text().nullable(),
    utmMedium: p.text().nullable(),
    utmCampaign: p.text().nullable(),
    source: p.text().$type<(typeof registrationSources)[number]>(),
    registeredAt: p.datetime(3),
  },
});

export type Registration = InferEntity<typeof Registration>;

// The tables of webinar mails, with the closed sets that their columns take.
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { mailKinds, purposes, recipients } from './content/mail-kinds.ts';
import type { WebinarMails } from './content/webinar-mails.ts';

/** The mails of webinars with lower ids are switched off until somebody switches them on. One row. */
export const Introduction = defineEntity({
  name: 'MailsIntroduction',
  tableName: 'introduction',
  schema: 'mails',
  properties: { firstWebinarId: p.uuid().primary() },
});

/** The settings of the mails of a webinar, once they were changed. */
export const WebinarMailsRow = defineEntity({
  name: 'WebinarMails',
  tableName: 'webinar_mails',
  schema: 'mails',
  properties: {
    accountId: p.uuid().primary(),
    webinarId: p.uuid().primary(),
    settings: p.json<WebinarMails>(),
    updatedAt: p.datetime(3),
    /** The id of a member or of an API key. */
    updatedBy: p.text(),
  },
});

export const mailStatuses = [
  'queued',
  'sent',
  'uncertain',
  'bounced',
  'suppressed',
  'too_late',
  'failed',
] as const;

export type MailStatus = (typeof mailStatuses)[number];

/** A mail to one person, waiting or past. Partitioned by day on its UUIDv7 id. Its text is made when it is sent, and not stored. */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  schema: 'mails',
  indexes: [
    { name: 'mail_registration_index', properties: ['accountId', 'registrationId', 'id'] },
    {
      name: 'mail_mailbox_index',
      expression:
        "create index mail_mailbox_index on mails.mail using btree (mails.mailbox_of(to_address), id) where (status <> all (array['suppressed'::text, 'failed'::text]))",
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    registrationId: p.uuid(),
    kind: p.enum([...mailKinds, 'rule']),
    /** Of a reminder: minutes before the start. */
    minutes: p.integer().nullable(),
    purpose: p.enum(purposes),
    recipient: p.enum(recipients).default('attendee'),
    /** Empty in a mail to members until it is sent. */
    toAddress: p.text(),
    /** Facts that the text needs as they were when the mail was queued. */
    data: p.json<MailData>().defaultRaw(`'{}'`),
    status: p.enum(mailStatuses).default('queued'),
    /** Why it was not sent, or the last failure of a waiting one. */
    reason: p.text().nullable(),
    sentAt: p.datetime(3).nullable(),
    sender: p.enum(['installation', 'connection']).nullable(),
    connectionId: p.uuid().nullable(),
    provider: p.text().nullable(),
    providerMessageId: p.text().nullable(),
    attempts: p.smallint().default(0),
    note: p.text().nullable(),
  },
});

export type Mail = InferEntity<typeof Mail>;

export interface MailData {
  /** ISO 8601. */
  formerStartsAt?: string;
  /** The rule that the mail is of, with its name at that time. */
  rule?: { id: string; name: string };
  /** Of a mail to members: the mails to the other members. */
  copies?: string[];
}

/** A waiting mail. A claimed one has a token, and is due at the end of its lease. */
export const Due = defineEntity({
  name: 'DueMail',
  tableName: 'due',
  schema: 'mails',
  indexes: [
    { name: 'due_order_index', properties: ['accountId', 'priority', 'dueAt'] },
    { name: 'due_expires_index', properties: ['expiresAt'] },
    {
      name: 'due_claimed_index',
      expression:
        'create index due_claimed_index on mails.due using btree (account_id, due_at) where (claim_token is not null)',
    },
    {
      name: 'due_action_index',
      properties: ['accountId', 'actionId'],
      where: 'action_id is not null',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    mailId: p.uuid().primary(),
    priority: p.smallint(),
    dueAt: p.datetime(3),
    expiresAt: p.datetime(3),
    attempts: p.smallint().default(0),
    /** The first time that the answer to a send was lost. */
    uncertainAt: p.datetime(3).nullable(),
    claimToken: p.uuid().nullable(),
    /** Of a mail of a rule: the action that it is of, and the number of times that the rule had been switched off. */
    actionId: p.uuid().nullable(),
    generation: p.integer().nullable(),
  },
});

/** The mails of one account, which leave through its default connection or through the sender of the installation. */
export const Lane = defineEntity({
  name: 'MailLane',
  tableName: 'lane',
  schema: 'mails',
  properties: {
    accountId: p.uuid().primary(),
    /** The theoretical arrival time of a generic cell rate algorithm. */
    nextAt: p.datetime(3),
    restUntil: p.datetime(3).nullable(),
    suspended: p.boolean().default(false),
  },
});

/**
 * The next moment at which mails to all registrations of a session are queued. `plan` is for reminders and for the mails after the
 * session.
 */
export const SessionTimer = defineEntity({
  name: 'SessionTimer',
  tableName: 'session_timer',
  schema: 'mails',
  indexes: [
    { name: 'session_timer_due_index', properties: ['dueAt'] },
    { name: 'session_timer_webinar_index', properties: ['accountId', 'webinarId'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    kind: p.enum(['plan', 'changed', 'cancelled']).primary(),
    webinarId: p.uuid(),
    dueAt: p.datetime(3),
    /** Moments up to this one are past. */
    doneUntil: p.datetime(3).nullable(),
    /** The last registration for which the mail of this moment was queued. */
    afterRegistrationId: p.uuid().nullable(),
    data: p.json<MailData>().defaultRaw(`'{}'`),
  },
});

export const suppressionReasons = [
  'unsubscribed',
  'hard_bounce',
  'complaint',
  'by_hand',
  'soft_bounces',
] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

/** An address that an account does not write to. */
export const Suppression = defineEntity({
  name: 'Suppression',
  tableName: 'suppression',
  schema: 'mails',
  indexes: [
    {
      name: 'suppression_address_index',
      expression:
        'create index suppression_address_index on mails.suppression (account_id, address collate "C")',
    },
    {
      name: 'suppression_domain_index',
      expression: `create index suppression_domain_index on mails.suppression
        (account_id, split_part(address, '@', 2) collate "C", address collate "C")`,
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** In lower case. */
    address: p.text().primary(),
    reason: p.enum(suppressionReasons),
    addedAt: p.datetime(3),
    note: p.text().nullable(),
    /** The id of a member. Null: added by an event. */
    addedBy: p.text().nullable(),
  },
});

/** A report of a provider about a mail, by which a repeated report is recognized and soft bounces are counted. */
export const ProviderEvent = defineEntity({
  name: 'ProviderEvent',
  tableName: 'provider_event',
  schema: 'mails',
  indexes: [
    { name: 'provider_event_address_index', properties: ['accountId', 'address', 'receivedAt'] },
    {
      name: 'provider_event_received_index',
      expression:
        'create index provider_event_received_index on mails.provider_event using brin (received_at)',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    eventId: p.text().primary(),
    kind: p.text(),
    address: p.text(),
    receivedAt: p.datetime(3),
  },
});

/** A test that a member has sent to themselves. Kept for a day, in which tests are limited. */
export const TestMail = defineEntity({
  name: 'TestMail',
  tableName: 'test_mail',
  schema: 'mails',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: p.text(),
    sender: p.enum(['installation', 'connection']),
  },
});

export const webinarMailEntities = [
  Introduction,
  WebinarMailsRow,
  Mail,
  Due,
  Lane,
  SessionTimer,
  Suppression,
  ProviderEvent,
  TestMail,
];

import type { MailSender } from '@service/mail-senders';
import { fieldTypes } from '@service/marketing-providers';
import { syncFieldNames, SyncSettings, syncTagNames } from './connection/sync-settings.ts';
import { id, instant, pageInput, storable, text, urlText } from '@service/trpc';
import { z } from 'zod';
import {
  changeKinds,
  connectionStates,
  type Connection,
  type ConnectionChange,
} from './connection/connection.ts';
import { checkStates, checkSubjects } from './domain/check-domain.ts';
import { CredentialField, ReportSetup } from './mail/credential-fields.ts';

const Mailbox = z
  .object({ name: z.string().describe('May be empty.'), address: z.string().describe('The e-mail address.') })
  .meta({ id: 'Mailbox' });

const ConnectionSettings = z
  .object({
    from: Mailbox.nullable().describe('The sender that attendees see. Null for `marketing`.'),
    replyTo: z.string().nullable().describe('The address of answers. Null: that of `from`.'),
    baseUrl: z
      .string()
      .nullable()
      .describe('Replaces the address of the provider’s API. Null: the usual one.'),
    sync: SyncSettings.nullable().describe(
      'The values and tags of every registrant that a marketing tool gets without a rule. Null for `mail`.',
    ),
  })
  .meta({ id: 'ConnectionSettings', description: 'The settings of the connection.' });

const ConnectionKind = z.enum(['mail', 'marketing']).meta({
  id: 'ConnectionKind',
  description: '`mail`: sends e-mails. `marketing`: updates contacts in a marketing tool.',
});

const ConnectionStateOutput = z.enum([...connectionStates, 'paused']).meta({
  id: 'ConnectionState',
  description:
    '`connected`: the last call worked. `failing`: five calls in a row or all calls of ten minutes failed, and they are repeated. ' +
    '`disconnected`: the provider refuses the credential. `attention`: the credential is valid, but a setting does not fit, such as a ' +
    'domain that is not verified. `paused`: a member wants nothing to be sent.',
});

export const ConnectionOutput = z
  .object({
    id: id('connection'),
    kind: ConnectionKind,
    provider: z
      .string()
      .describe(
        'Of `mail`: `smtp`, `resend` and others. Of `marketing`: `klaviyo`, `hubspot` and others. `brevo` is both. More will be added.',
      ),
    name: z.string().describe('The name that a member gave it.'),
    state: ConnectionStateOutput,
    since: instant().describe('The time at which the state began. ISO 8601, UTC.'),
    reason: z.string().nullable().describe('The reason of the state, mostly in the provider’s own words.'),
    isDefault: z.boolean().describe('True if the e-mails of the workspace are sent by this connection.'),
    credentialLast4: z
      .string()
      .describe('The last four characters of the credential. No answer has more of it.'),
    settings: ConnectionSettings,
    reports: z
      .object({
        state: z
          .enum(['read', 'not_read'])
          .meta({ id: 'ConnectionReportState' })
          .describe(
            '`read`: addresses are suppressed when the provider reports a bounce, a complaint or an unsubscribe. `not_read`: the ' +
              'provider sends no reports, or the secret that proves them is missing.',
          ),
        secretLast4: z
          .string()
          .nullable()
          .describe('The last four characters of the secret with which the provider signs its reports.'),
      })
      .meta({ id: 'ConnectionReports', description: 'The reports of the provider about mails.' }),
    waiting: z
      .object({
        people: z.number().int().describe('Counted up to 100,000.'),
        oldestAt: instant().nullable().describe('The time since which the oldest change waits.'),
      })
      .meta({ id: 'ConnectionWaiting' })
      .nullable()
      .describe(
        'The people whose changes wait for the marketing tool. Null for `mail`, and in answers to changes.',
      ),
    lastSuccessAt: instant().nullable().describe('To the minute. ISO 8601, UTC.'),
    lastFailureAt: instant().nullable().describe('The last failed call, to the minute. Null without one.'),
    checkedAt: instant().describe('The last verification of the credential. ISO 8601, UTC.'),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Connection' });

export type ConnectionOutput = z.output<typeof ConnectionOutput>;

export const ConnectionInput = z.strictObject({ connectionId: id('connection') });
export const ListConnectionsInput = z.strictObject({});

const name = text(100);

const mailboxInput = z.strictObject({
  // A line break would begin another header of the mail.
  name: storable(z.string().trim().max(100, 'At most 100 characters.')).refine(
    (value) => !/[\t\r\n]/.test(value),
    'Must not contain tabs or line breaks.',
  ),
  address: z.email('Not an e-mail address.').max(254, 'At most 254 characters.'),
});

const settings = {
  from: mailboxInput,
  replyTo: z.email('Not an e-mail address.').max(254, 'At most 254 characters.').nullable().default(null),
};

/** Its fields are those of the sender. */
const credential = z
  .record(
    z.string().max(50),
    z.union([z.string().max(4000, 'At most 4000 characters.'), z.number(), z.boolean()]),
  )
  .refine((fields) => Object.keys(fields).length <= 20, 'Too many fields.');

const baseUrl = urlText().nullable().default(null);

export const ConnectInput = z.strictObject({
  provider: z.string().max(50),
  name: name.optional(),
  credential,
  baseUrl,
  ...settings,
});

export const ConnectToolInput = z.strictObject({
  provider: z.string().max(50),
  name: name.optional(),
  credential,
  baseUrl,
  /** `all`: the tags, and the values for which the tool has a field. */
  sync: z.union([SyncSettings, z.enum(['all', 'none'])]).default('none'),
});

export const ChangeSyncInput = z.strictObject({
  connectionId: id('connection'),
  /** Without a name, and for settings that are left out, the saved ones stay. */
  name: name.optional(),
  sync: SyncSettings.partial(),
});

/** The fields of a connection that `ChangeSyncInput` changes. */
export const SyncRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  sync: SyncSettings,
  updatedAt: instant(),
});

export const LeaveOutWebinarInput = z.strictObject({
  connectionId: id('connection'),
  webinarId: id('webinar'),
  isLeftOut: z.boolean(),
});

export const ReplaceCredentialInput = z.strictObject({ connectionId: id('connection'), credential, baseUrl });

export const ChangeReportSecretInput = z.strictObject({
  connectionId: id('connection'),
  /** The sender checks its form. Null removes it. */
  secret: z.string().max(400, 'At most 400 characters.').nullable(),
});

export const ChangeSettingsInput = z.strictObject({ connectionId: id('connection'), name, ...settings });

/** A connection after a change, with warnings for the person who made it. */
export const ConnectedOutput = z.object({
  connection: ConnectionOutput,
  /** The account's name at the provider, if it answered one. */
  account: z.string().nullable(),
  notes: z.array(z.string()),
});

export const SenderOutput = z.object({
  provider: z.string(),
  name: z.string(),
  fields: z.array(CredentialField),
  /** The form may ask for another address of the API. */
  hasBaseUrl: z.boolean(),
  /** Null: it sends no reports. */
  reports: ReportSetup.nullable(),
});

/** A marketing tool. */
export const ToolOutput = z.object({
  provider: z.string(),
  name: z.string(),
  fields: z.array(CredentialField),
  /** Its own words. Null: it has none of the kind. */
  words: z.object({ field: z.string(), tag: z.string().nullable(), list: z.string().nullable() }),
  takesEvents: z.boolean(),
  makesFields: z.boolean(),
  /** A field exists as soon as a value is sent, so that a mapping may name a new one. */
  takesNewFields: z.boolean(),
  /** The values that fields can be kept in step with. The label is also the name of a field that is made for one. */
  values: z.array(z.object({ name: z.enum(syncFieldNames), label: z.string() })),
  /** The tags of people, with the text that follows the prefix. Empty: it has no tags. */
  tags: z.array(z.object({ name: z.enum(syncTagNames), text: z.string() })),
});

export const CatalogueInput = z.strictObject({
  connectionId: id('connection'),
  /** Asks the tool again, unless it was asked in the last 15 seconds. */
  isFresh: z.boolean().default(false),
});

/** At most 1,000 of each kind. Names in it were written at the tool. `choices`: of `choice` and `multiple_choice`. */
export const CatalogueOutput = z.object({
  fields: z
    .array(
      z.object({
        key: z.string(),
        label: z.string(),
        type: z.enum(fieldTypes),
        choices: z.array(z.string()).readonly().optional(),
        /** The values of ours whose type fits. */
        takes: z.array(z.enum(syncFieldNames)),
      }),
    )
    .readonly(),
  tags: z.array(z.object({ name: z.string() })).readonly(),
  lists: z.array(z.object({ id: z.string(), name: z.string() })).readonly(),
  readAt: instant(),
});

export const DomainInput = z.strictObject({
  connectionId: id('connection'),
  /** Asks DNS again, unless it was asked in the last 15 seconds. */
  isFresh: z.boolean().default(false),
});

const domainRecord = { host: z.string(), type: z.string() };

/** The DNS records of the domain of a From address. Texts in it come from DNS. */
export const DomainOutput = z.object({
  domain: z.string(),
  checkedAt: instant(),
  notes: z.array(z.string()),
  checks: z.array(
    z.object({
      subject: z.enum(checkSubjects),
      state: z.enum(checkStates),
      text: z.string(),
      found: z.array(z.object({ ...domainRecord, value: z.string() })),
      /** Null: only the provider can show the value. */
      add: z.array(z.object({ ...domainRecord, value: z.string().nullable() })),
    }),
  ),
});

export const ListChangesInput = z.strictObject({
  kind: ConnectionKind.optional(),
  connectionId: id('connection').optional(),
  ...pageInput,
});

export const ChangeOutput = z.object({
  id: z.uuid(),
  connectionId: z.uuid(),
  provider: z.string(),
  name: z.string(),
  kind: z.enum(changeKinds),
  /** The name of the member. Null for an operator. */
  byName: z.string().nullable(),
  at: instant(),
});

export function connectionToOutput(
  connection: Connection,
  {
    senders,
    waiting,
  }: {
    senders: readonly MailSender[];
    waiting: { people: number; oldestAt: Date | null } | undefined;
  },
): ConnectionOutput {
  const { pausedAt, state, since, settings: own, ...rest } = connection;
  return {
    id: rest.id,
    kind: rest.kind,
    provider: rest.provider,
    name: rest.name,
    state: pausedAt ? 'paused' : state,
    since: (pausedAt ?? since).toISOString(),
    reason: rest.reason ?? null,
    isDefault: rest.isDefault,
    credentialLast4: rest.credentialLast4,
    settings: {
      from: null,
      replyTo: null,
      ...own,
      sync: 'sync' in own ? own.sync : null,
    },
    reports: { state: reportState(connection, senders), secretLast4: rest.reportSecretLast4 ?? null },
    waiting: waiting ? { people: waiting.people, oldestAt: waiting.oldestAt?.toISOString() ?? null } : null,
    lastSuccessAt: rest.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: rest.lastFailureAt?.toISOString() ?? null,
    checkedAt: rest.checkedAt.toISOString(),
    createdAt: rest.createdAt.toISOString(),
    updatedAt: rest.updatedAt.toISOString(),
  };
}

function reportState(
  { kind, provider, sealedReportSecret }: Connection,
  senders: readonly MailSender[],
): ConnectionOutput['reports']['state'] {
  const events = senders.find(({ id }) => kind === 'mail' && id === provider)?.events;
  if (!events) return 'not_read';
  return events.secret && sealedReportSecret === null ? 'not_read' : 'read';
}

export const changeToOutput = (change: ConnectionChange): z.output<typeof ChangeOutput> => ({
  id: change.id,
  connectionId: change.connectionId,
  provider: change.provider,
  name: change.name,
  kind: change.kind,
  byName: change.byName ?? null,
  at: change.at.toISOString(),
});

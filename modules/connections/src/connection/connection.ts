import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { FieldType } from '@service/marketing-providers';
import type { Principal } from '@service/trpc';
import type { SyncSettings } from './sync-settings.ts';

export const connectionStates = ['connected', 'failing', 'disconnected', 'attention'] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** A person or program that changed a connection. The name of a member is kept, so that it can be read after the member has left. */
export type Author = { kind: 'member'; id: string; name: string } | { kind: 'operator' };

/** The member of a call. Clients with a key only read. */
export const authorOf = (principal: Principal): Author =>
  principal.kind === 'member'
    ? { kind: 'member', id: principal.userId, name: principal.name }
    : { kind: 'operator' };

/** The settings of a connection that sends mails. */
export interface MailSettings {
  from: { name: string; address: string };
  replyTo: string | null;
  /** Replaces the address of the provider's API. It changes only together with the credential, which is sent there. */
  baseUrl: string | null;
}

/** The settings of a connection that updates contacts in a marketing tool. */
export interface MarketingSettings {
  /** As in MailSettings. */
  baseUrl: string | null;
  sync: SyncSettings;
}

/**
 * One provider of one account. The credential is sealed with the id and the version as context: it opens in no other row, and not
 * with the version before or after a replacement.
 */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connection',
  schema: 'connections',
  uniques: [
    {
      name: 'connection_default_unique',
      properties: ['accountId', 'kind'],
      where: 'is_default',
    },
  ],
  indexes: [{ name: 'connection_notify_index', properties: ['notifyAt'], where: 'notify_at is not null' }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(['mail', 'marketing']),
    /** The id of a mail sender or of a marketing tool. `brevo` is both. A new one needs no migration. */
    provider: p.text(),
    name: p.text(),
    credentialKind: p.enum(['key']),
    /** Counts the replacements of the credential. */
    credentialVersion: p.integer(),
    sealedCredential: p.text(),
    credentialLast4: p.text(),
    /** Counts the changes of the secret with which the provider signs its reports. */
    reportSecretVersion: p.integer(),
    /** Null: none was given, or the provider has none. */
    sealedReportSecret: p.text().nullable(),
    reportSecretLast4: p.text().nullable(),
    settings: p.json().$type<MailSettings | MarketingSettings>(),
    /** The types of the fields of a marketing tool by their keys, as its last catalogue had them. */
    fieldTypes: p.json<Record<string, FieldType>>().lazy().defaultRaw(`'{}'`),
    /** The mails of the account leave through this one. Never true for a marketing tool. */
    isDefault: p.boolean(),
    state: p.enum([...connectionStates]),
    since: p.datetime(3),
    reason: p.text().nullable(),
    /** Set while a person wants nothing to be sent. */
    pausedAt: p.datetime(3).nullable(),
    laters: p.integer(),
    firstLaterAt: p.datetime(3).nullable(),
    notifyAt: p.datetime(3).nullable(),
    notifications: p.smallint(),
    notifiedAt: p.datetime(3).nullable(),
    notifiedState: p.enum([...connectionStates]).nullable(),
    lastSuccessAt: p.datetime(3).nullable(),
    lastFailureAt: p.datetime(3).nullable(),
    /** The last verification. */
    checkedAt: p.datetime(3),
    createdByKind: p.enum(['member', 'operator']),
    createdById: p.text().nullable(),
    updatedByKind: p.enum(['member', 'operator']),
    updatedById: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Connection = InferEntity<typeof Connection>;

/** The context of a sealed credential, as `sealed` of the module declares it. */
export const sealContext = ({
  id,
  credentialVersion,
}: Pick<Connection, 'id' | 'credentialVersion'>): string => `${id} ${credentialVersion}`;

/** The same for a sealed report secret. The other order keeps the two apart: neither opens in the place of the other. */
export const reportSealContext = ({
  id,
  reportSecretVersion,
}: Pick<Connection, 'id' | 'reportSecretVersion'>): string => `${reportSecretVersion} ${id}`;

export const changeKinds = [
  'connected',
  'credential_replaced',
  'report_secret_changed',
  'changed',
  'made_default',
  'paused',
  'resumed',
  'disconnected',
] as const;

/** A change by a person, without any secret. It stays when its connection is removed. */
export const ConnectionChange = defineEntity({
  name: 'ConnectionChange',
  tableName: 'connection_change',
  schema: 'connections',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    connectionKind: p.enum(['mail', 'marketing']).default('mail'),
    provider: p.text(),
    /** The name of the connection at that time. */
    name: p.text(),
    kind: p.enum([...changeKinds]),
    byKind: p.enum(['member', 'operator']),
    byId: p.text().nullable(),
    byName: p.text().nullable(),
    at: p.datetime(3),
  },
});

export type ConnectionChange = InferEntity<typeof ConnectionChange>;

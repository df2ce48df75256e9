// Changes of connections by people. Credentials were verified before, outside of the transaction.
import { LockMode } from '@mikro-orm/postgresql';
import { createId, lockLimit, type AccountReader, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { connectionErrors } from '../errors.ts';
import { afterObservation, afterNotification, newHealth, type Health } from './connection-state.ts';
import { notifyMarketingChanged } from './connected-accounts.ts';
import type { SyncSettings } from './sync-settings.ts';
import {
  Connection,
  ConnectionChange,
  type Author,
  type MailSettings,
  type MarketingSettings,
} from './connection.ts';

const connectionsMax = 10;

/** A credential that its provider has accepted. */
export interface VerifiedCredential
  extends Pick<Connection, 'kind' | 'provider' | 'settings'>, Partial<Pick<Connection, 'fieldTypes'>> {
  credential: unknown;
  last4: string;
  /** Why calls or mails would be refused, although the credential is valid. Undefined when nothing is known against it. */
  problem: string | undefined;
}

type Seal = (credential: unknown, key: { id: string; credentialVersion: number }) => string;

export interface Changing {
  seal: Seal;
  author: Author;
}

/** Throws too_many_connections. The first connection that sends mails becomes the default. */
export async function insertConnection(
  tx: AccountWriter,
  { name, verified }: { name: string; verified: VerifiedCredential },
  { seal, author }: Changing,
): Promise<Connection> {
  const { em, accountId, now } = tx;
  await lockLimit(tx, 'connections');
  await requireRoom(tx);
  const id = createId();
  const connection = {
    accountId,
    id,
    kind: verified.kind,
    provider: verified.provider,
    name,
    credentialKind: 'key' as const,
    ...sealed(verified, { id, credentialVersion: 1 }, seal),
    reportSecretVersion: 0,
    sealedReportSecret: null,
    reportSecretLast4: null,
    settings: verified.settings,
    fieldTypes: verified.fieldTypes ?? {},
    isDefault:
      verified.kind === 'mail' &&
      (await em.count(Connection, { accountId, kind: 'mail', isDefault: true })) === 0,
    ...healthOfVerified(verified, now),
    pausedAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    checkedAt: now,
    ...createdBy(author),
    ...updatedBy(author),
    createdAt: now,
    updatedAt: now,
  };
  await em.insert(Connection, connection);
  await recordChange(tx, connection, 'connected', author);
  return connection;
}

/** Throws too_many_connections. Also called before the provider is asked. */
export async function requireRoom({ em, accountId }: Pick<AccountReader, 'em' | 'accountId'>): Promise<void> {
  if ((await em.count(Connection, { accountId })) >= connectionsMax)
    throw connectionErrors.too_many_connections();
}

/**
 * Swaps the credential and the address that it is sent to. Mails that are being sent end with the former one, and the next ones use the new
 * one. Throws connection_not_found, and connection_changed when the credential is no longer of `version`.
 */
export async function replaceCredential(
  tx: AccountWriter,
  { id, version, verified }: { id: string; version: number; verified: VerifiedCredential },
  { seal, author }: Changing,
): Promise<Connection> {
  const connection = await lockConnection(tx, id);
  if (connection.credentialVersion !== version) throw connectionErrors.connection_changed();
  return change(
    tx,
    connection,
    {
      ...sealed(verified, { id, credentialVersion: version + 1 }, seal),
      // The others may have been saved during the verification.
      settings: { ...connection.settings, baseUrl: verified.settings.baseUrl },
      fieldTypes: verified.fieldTypes ?? {},
      ...healthOfVerified(verified, tx.now),
      checkedAt: tx.now,
    },
    { kind: 'credential_replaced', author },
  );
}

interface NewReportSecret {
  id: string;
  /** Null removes it: reports are not read any more. */
  secret: string | null;
}

type SealReportSecret = (secret: string, key: { id: string; reportSecretVersion: number }) => string;

/** Swaps the secret that proves reports. The credential stays as it is. Throws connection_not_found. */
export async function changeReportSecret(
  tx: AccountWriter,
  { id, secret }: NewReportSecret,
  { seal, author }: { seal: SealReportSecret; author: Author },
): Promise<Connection> {
  const connection = await lockConnection(tx, id, 'mail');
  const reportSecretVersion = connection.reportSecretVersion + 1;
  return change(
    tx,
    connection,
    {
      reportSecretVersion,
      sealedReportSecret: secret === null ? null : seal(secret, { id, reportSecretVersion }),
      reportSecretLast4: secret === null ? null : secret.slice(-4),
    },
    { kind: 'report_secret_changed', author },
  );
}

/** `refused`: it must not be saved. The others are what the provider says; `unknown`: it did not accept the credential. */
export type FromCheck =
  | { kind: 'refused' | 'unsuitable'; reason: string }
  | { kind: 'suitable' }
  | { kind: 'unknown' };

interface NewSettings {
  id: string;
  name: string;
  settings: Omit<MailSettings, 'baseUrl'>;
  /** The provider's answer about the new From address. */
  check: FromCheck;
}

/** Everything but the credential and the address that it is sent to. Throws connection_not_found, validation_failed. */
export async function changeSettings(
  tx: AccountWriter,
  { id, name, settings, check }: NewSettings,
  author: Author,
): Promise<Connection> {
  if (check.kind === 'refused')
    throw commonErrors.validation_failed({ issues: [{ path: 'from.address', message: check.reason }] });
  const connection = await lockConnection(tx, id, 'mail');
  const { baseUrl } = connection.settings;
  const problem = check.kind === 'unsuitable' ? check.reason : undefined;
  const health = check.kind === 'unknown' ? {} : healthOfVerified({ problem }, tx.now);
  const values = { name, settings: { ...settings, baseUrl }, ...health };
  return change(tx, connection, values, { kind: 'changed', author });
}

interface NewSync {
  id: string;
  /** Undefined: it stays. */
  name?: string | undefined;
  /** Gets the saved settings. */
  syncOf: (saved: SyncSettings) => SyncSettings;
}

/** Changes the values of registrants that a marketing tool gets without a rule. Throws connection_not_found. */
export async function changeSync(
  tx: AccountWriter,
  { id, name, syncOf }: NewSync,
  author: Author,
): Promise<Connection> {
  const connection = await lockConnection(tx, id, 'marketing');
  const { baseUrl, sync } = connection.settings as MarketingSettings;
  // The person who changes them has seen the problem, and the next success shows whether it is gone.
  const isSeen = connection.state === 'attention';
  const values = {
    name: name ?? connection.name,
    settings: { baseUrl, sync: syncOf(sync) },
    ...(isSeen && { notifyAt: null }),
  };
  return change(tx, connection, values, { kind: 'changed', author });
}

/** Throws connection_not_found. Does nothing when it is so already. */
export async function setPaused(
  tx: AccountWriter,
  { id, paused }: { id: string; paused: boolean },
  author: Author,
): Promise<Connection> {
  const connection = await lockConnection(tx, id);
  if ((connection.pausedAt !== null) === paused) return connection;
  const kind = paused ? 'paused' : 'resumed';
  return change(tx, connection, { pausedAt: paused ? tx.now : null }, { kind, author });
}

/** The mails of the account leave through this connection from now on. Throws connection_not_found, also for a marketing tool. */
export async function makeDefault(tx: AccountWriter, id: string, author: Author): Promise<Connection> {
  await lockLimit(tx, 'connections');
  const connection = await lockConnection(tx, id, 'mail');
  if (connection.isDefault) return connection;
  const { em, accountId } = tx;
  await em.nativeUpdate(
    Connection,
    { accountId, kind: connection.kind, isDefault: true },
    { isDefault: false },
  );
  return change(tx, connection, { isDefault: true }, { kind: 'made_default', author });
}

/** Removes the connection and its credential. The oldest other one becomes the default. Throws connection_not_found. */
export async function removeConnection(tx: AccountWriter, id: string, author: Author): Promise<void> {
  await lockLimit(tx, 'connections');
  const connection = await lockConnection(tx, id);
  const { em, accountId } = tx;
  await em.nativeDelete(Connection, { accountId, id });
  await recordChange(tx, connection, 'disconnected', author);
  if (!connection.isDefault) return;
  const [next] = await em.find(
    Connection,
    { accountId, kind: connection.kind, id: { $ne: id } },
    { fields: ['id'], orderBy: { id: 'asc' }, limit: 1 },
  );
  if (next) await em.nativeUpdate(Connection, { accountId, id: next.id }, { isDefault: true });
}

/** Throws connection_not_found. */
export async function findConnection(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  id: string,
  kind?: Connection['kind'],
): Promise<Connection> {
  const connection = await em.findOne(Connection, { accountId, id, ...(kind && { kind }) });
  if (!connection) throw connectionErrors.connection_not_found();
  return connection;
}

/**
 * The connections whose key is refused, the oldest first. Leaves out those that nothing waits for: a paused one, and one for mails that is not
 * the default.
 */
export const listDisconnected = ({
  em,
  accountId,
}: Pick<AccountReader, 'em' | 'accountId'>): Promise<Connection[]> =>
  em.find(
    Connection,
    { accountId, state: 'disconnected', pausedAt: null, $or: [{ kind: 'marketing' }, { isDefault: true }] },
    { orderBy: { id: 'asc' } },
  );

/** Throws connection_not_found. */
export async function lockConnection(
  { em, accountId }: AccountWriter,
  id: string,
  kind?: Connection['kind'],
): Promise<Connection> {
  const connection = await em.findOne(
    Connection,
    { accountId, id, ...(kind && { kind }) },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!connection) throw connectionErrors.connection_not_found();
  return connection;
}

interface Change {
  kind: ConnectionChange['kind'];
  author: Author;
}

async function change(
  tx: AccountWriter,
  connection: Connection,
  values: Partial<Connection>,
  { kind, author }: Change,
): Promise<Connection> {
  const { em, accountId, now } = tx;
  const changed = { ...values, ...updatedBy(author), updatedAt: now };
  await em.nativeUpdate(Connection, { accountId, id: connection.id }, changed);
  const after = { ...connection, ...changed };
  await recordChange(tx, after, kind, author);
  return after;
}

async function recordChange(
  tx: AccountWriter,
  { id, kind: connectionKind, provider, name }: Pick<Connection, 'id' | 'kind' | 'provider' | 'name'>,
  kind: ConnectionChange['kind'],
  author: Author,
): Promise<void> {
  const { em, accountId, now } = tx;
  if (connectionKind === 'marketing') notifyMarketingChanged(tx);
  await em.insert(ConnectionChange, {
    accountId,
    id: createId(),
    connectionId: id,
    connectionKind,
    provider,
    name,
    kind,
    byKind: author.kind,
    byId: author.kind === 'member' ? author.id : null,
    byName: author.kind === 'member' ? author.name : null,
    at: now,
  });
}

const sealed = (
  { credential, last4 }: VerifiedCredential,
  key: { id: string; credentialVersion: number },
  seal: Seal,
) => ({
  credentialVersion: key.credentialVersion,
  sealedCredential: seal(credential, key),
  credentialLast4: last4,
});

/** The person who connects sees the problem on the page, so it is not mailed. */
function healthOfVerified({ problem }: Pick<VerifiedCredential, 'problem'>, now: Date): Health {
  const health = newHealth(now);
  if (problem === undefined) return health;
  return afterNotification(afterObservation(health, { kind: 'unsuitable', reason: problem }, now), now);
}

const idOf = (author: Author): string | null => (author.kind === 'member' ? author.id : null);
const createdBy = (author: Author) => ({ createdByKind: author.kind, createdById: idOf(author) });
const updatedBy = (author: Author) => ({ updatedByKind: author.kind, updatedById: idOf(author) });

import { defineEntity, LockMode, p, type InferEntity } from '@mikro-orm/postgresql';
import { createId, isUniqueViolation, type AccountReader, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { createSecret } from '@service/signing';
import { revenueErrors } from '../../errors.ts';
import type { RefusalReason, RevenueProvider } from '../provider.ts';

/** One provider of an account and the secrets that sign its events, sealed with the id of the secret as context. */
export const RevenueSource = defineEntity({
  name: 'RevenueSource',
  tableName: 'source',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    secretId: p.uuid(),
    sealedSecret: p.text(),
    secretLast4: p.text(),
    /** The secret before a rotation with an overlap. Null when there is none. */
    previousSecretId: p.uuid().nullable(),
    previousSealedSecret: p.text().nullable(),
    previousSecretUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    lastReceivedAt: p.datetime(3).nullable(),
    lastRefusedAt: p.datetime(3).nullable(),
    lastRefusedReason: p.text().$type<RefusalReason>().nullable(),
    /** The last repetition of an event id with other content. The first content was kept. */
    lastConflictAt: p.datetime(3).nullable(),
    lastConflictEventId: p.text().nullable(),
  },
});

export type RevenueSource = InferEntity<typeof RevenueSource>;

/** The events of a source on one UTC day, by their result. */
export const SourceDay = defineEntity({
  name: 'RevenueSourceDay',
  tableName: 'source_day',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    day: p.date().primary(),
    accepted: p.integer(),
    duplicates: p.integer(),
    ignored: p.integer(),
    refused: p.integer(),
  },
});

// Operations of owners and operators on the secrets of sources.

interface NewSecret {
  secret: string;
  secretLast4: string;
}

/** Makes the secret of a source. Throws revenue_source_exists. */
export async function createSourceSecret(
  tx: AccountWriter,
  provider: RevenueProvider,
  secretBox: SecretBox,
): Promise<NewSecret> {
  requireOwnSecret(provider);
  const secret = createSecret();
  if (await findForChange(tx, provider)) throw revenueErrors.revenue_source_exists();
  await insertSource(tx, { provider, secret }, secretBox);
  return { secret, secretLast4: secret.slice(-4) };
}

/** Replaces the secret that the service made. Throws revenue_source_not_found. */
export async function rotateSourceSecret(
  tx: AccountWriter,
  { provider, overlapHours }: { provider: RevenueProvider; overlapHours: number },
  secretBox: SecretBox,
): Promise<NewSecret> {
  requireOwnSecret(provider);
  const source = await findForChange(tx, provider);
  if (!source) throw revenueErrors.revenue_source_not_found();
  const secret = createSecret();
  const until = new Date(tx.now.getTime() + overlapHours * 3_600_000);
  const overlap = overlapHours > 0 ? { source, until } : undefined;
  await replaceSecret(tx, { provider, secret, overlap }, secretBox);
  return { secret, secretLast4: secret.slice(-4) };
}

/**
 * Stores the secret that a provider has issued. A former one is invalid at once: a provider that rolls its secret signs with both
 * for a while. Throws validation_failed.
 */
export async function setSourceSecret(
  tx: AccountWriter,
  { provider, secret }: { provider: RevenueProvider; secret: string },
  secretBox: SecretBox,
): Promise<void> {
  const kind = provider.secret;
  if (kind.madeBy !== 'provider') throw refusedSecret('The service makes the secret of this source.');
  if (!kind.pattern.test(secret)) throw refusedSecret(kind.hint);
  const source = await findForChange(tx, provider);
  if (source) await replaceSecret(tx, { provider, secret, overlap: undefined }, secretBox);
  else await insertSource(tx, { provider, secret }, secretBox);
}

/** Removes a source. Its address refuses every event afterwards. Stored events stay. Throws revenue_source_not_found. */
export async function removeSource({ em, accountId }: AccountWriter, provider: string): Promise<void> {
  const removed = await em.nativeDelete(RevenueSource, { accountId, provider });
  if (removed === 0) throw revenueErrors.revenue_source_not_found();
  await em.nativeDelete(SourceDay, { accountId, provider });
}

/** The present secret, to sign a test event. Throws revenue_source_not_found. */
export async function openSourceSecret(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  provider: string,
  secretBox: SecretBox,
): Promise<string> {
  const source = await em.findOne(RevenueSource, { accountId, provider });
  if (!source) throw revenueErrors.revenue_source_not_found();
  return secretBox.open(source.sealedSecret, source.secretId);
}

const refusedSecret = (message: string) =>
  commonErrors.validation_failed({ issues: [{ path: 'secret', message }] });

function requireOwnSecret({ secret }: RevenueProvider): void {
  if (secret.madeBy !== 'service')
    throw commonErrors.validation_failed({
      issues: [{ path: 'provider', message: 'This provider issues the secret. Paste it instead.' }],
    });
}

/** Locked, so that two changes at once happen one after the other. */
const findForChange = ({ em, accountId }: AccountWriter, provider: RevenueProvider) =>
  em.findOne(RevenueSource, { accountId, provider: provider.name }, { lockMode: LockMode.PESSIMISTIC_WRITE });

async function insertSource(
  { em, accountId, now }: AccountWriter,
  { provider, secret }: { provider: RevenueProvider; secret: string },
  secretBox: SecretBox,
): Promise<void> {
  const row = { accountId, provider: provider.name, createdAt: now, ...sealed(secret, secretBox) };
  try {
    await em.insert(RevenueSource, row);
  } catch (error) {
    // Another owner made it at the same time.
    if (isUniqueViolation(error)) throw revenueErrors.revenue_source_exists({ cause: error });
    throw error;
  }
}

interface Replacement {
  provider: RevenueProvider;
  secret: string;
  overlap: { source: RevenueSource; until: Date } | undefined;
}

async function replaceSecret(
  { em, accountId }: AccountWriter,
  { provider, secret, overlap }: Replacement,
  secretBox: SecretBox,
): Promise<void> {
  await em.nativeUpdate(
    RevenueSource,
    { accountId, provider: provider.name },
    {
      ...sealed(secret, secretBox),
      previousSecretId: overlap?.source.secretId ?? null,
      previousSealedSecret: overlap?.source.sealedSecret ?? null,
      previousSecretUntil: overlap?.until ?? null,
    },
  );
}

function sealed(secret: string, secretBox: SecretBox) {
  const secretId = createId();
  return { secretId, sealedSecret: secretBox.seal(secret, secretId), secretLast4: secret.slice(-4) };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Preset, Scope, Surface } from '@service/catalogue';
import { column, createId, lockLimit, statement, type AccountWriter, type Query } from '@service/database';
import { commonErrors } from '@service/errors';
import type { KeyCreator } from '@service/trpc';
import { hashCredential, keyText } from './credential-text.ts';
import { ApiKey, creatorToColumns } from './entities.ts';
import { keyErrors } from './errors.ts';

/** Keys that a workspace may have. The list of keys has no other limit. */
const keysMax = 200;

/** Characters of a key that lists show: `svc_live_` with four more, and the last four. */
const prefixLength = 13;
const hintLength = 4;

interface NewKey {
  label: string;
  /** Null when the scopes and surfaces were chosen one by one. */
  preset: Preset | null;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
  createdBy: KeyCreator;
  /** The key is refused from this time on, like a revoked one. */
  expiresAt?: Date | null;
}

/** A transaction with this lock sees all keys of its account, and no other one creates or deletes some before its end. */
const lockKeys = (tx: AccountWriter): Promise<void> => lockLimit(tx, 'keys.api_key');

/** Creates a key. The whole text of the key is returned here and stored nowhere. Throws api_key_limit_reached, validation_failed. */
export async function createApiKey(
  tx: AccountWriter,
  input: NewKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { expiresAt = null } = input;
  if (expiresAt !== null && expiresAt <= tx.now) throw commonErrors.validation_failed({ issues: [pastEnd] });
  await lockKeys(tx);
  if ((await tx.em.count(ApiKey, { accountId: tx.accountId })) >= keysMax)
    throw keyErrors.api_key_limit_reached();
  const key = keyText.create();
  const apiKey = tx.em.create(ApiKey, {
    accountId: tx.accountId,
    id: createId(),
    label: input.label,
    preset: input.preset,
    scopes: [...input.scopes],
    surfaces: [...input.surfaces],
    createdAt: tx.now,
    ...creatorToColumns(input.createdBy),
    lastUsedAt: null,
    requests: 0,
    expiresAt,
    prefix: key.slice(0, prefixLength),
    hint: key.slice(-hintLength),
    hash: hashCredential(key),
  });
  await tx.em.flush();
  return { apiKey, key };
}

const pastEnd = { path: 'expiresAt', message: 'Must be in the future.' };

/** Deletes a key. The next request with it, on any process, is answered 401. Returns its label. Throws api_key_not_found. */
export async function revokeApiKey({ query, accountId }: AccountWriter, keyId: string): Promise<string> {
  const [deleted] = await query(deleteKey, [accountId, keyId]);
  if (!deleted) throw keyErrors.api_key_not_found();
  return deleted.label;
}

const deleteKey = statement({
  name: 'keys.delete_api_key',
  text: 'delete from keys.api_key where account_id = $1 and id = $2 returning label',
  row: { label: column.text },
});

/** Deletes all keys that a removed member made, if the owner chose so. The next request with one of them is answered 401. */
export async function revokeKeysOfMember(
  tx: AccountWriter,
  userId: string,
  { revokesKeys }: { revokesKeys: boolean },
): Promise<void> {
  if (!revokesKeys) return;
  // A key that the member is creating now is deleted too, or is refused because the member was removed.
  await lockKeys(tx);
  await tx.em.nativeDelete(ApiKey, { accountId: tx.accountId, createdById: userId });
}

const revokeOfEveryone = statement({
  text: `
    with revoked as (delete from keys.api_key returning 1)
    select count(*)::int as count from revoked`,
  row: { count: column.integer },
  allAccounts: 'After a restore a key may have been revoked already, in any account.',
});

/** Deletes the keys of all accounts. Returns their number. */
export const revokeAllKeys = async (query: Query): Promise<number> =>
  (await query(revokeOfEveryone, []))[0]!.count;

/** The account of a key, or undefined. For operators, who name a key without its account. */
export async function findKeyOwner(em: EntityManager, keyId: string): Promise<string | undefined> {
  const key = await em.findOne(ApiKey, { id: keyId }, { fields: ['accountId'] });
  return key?.accountId;
}

/** After the commit every request with a key or an access token of the account is answered account_suspended. Idempotent. */
export async function suspendKeys({ query, accountId }: AccountWriter): Promise<void> {
  await query(suspend, [accountId]);
}

/** The account's keys and access tokens work again. Idempotent. */
export async function resumeKeys({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}

const suspend = statement({ text: 'insert into keys.suspended_account values ($1) on conflict do nothing' });

const resume = statement({ text: 'delete from keys.suspended_account where account_id = $1' });

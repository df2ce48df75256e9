import type { Preset, Scope, Surface } from '@service/catalogue';
import { createId, lockLimit, type AccountWriter } from '@service/database';
import type { KeyCreator } from '@service/trpc';
import { ApiKey, creatorToColumns } from './entities.ts';
import { keyErrors } from './errors.ts';
import { hashCredential, keyText } from './credential-text.ts';

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
}

/** Creates a key. The whole text of the key is returned here and stored nowhere. Throws api_key_limit_reached. */
export async function createApiKey(
  tx: AccountWriter,
  input: NewKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  await lockLimit(tx, 'keys.api_key');
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
    prefix: key.slice(0, prefixLength),
    hint: key.slice(-hintLength),
    hash: hashCredential(key),
  });
  await tx.em.flush();
  return { apiKey, key };
}

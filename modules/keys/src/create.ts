import type { Preset, Scope, Surface } from '@service/catalogue';
import { createId, lockLimit, type AccountWriter } from '@service/database';
import type { KeyCreator } from '@service/trpc';
import { ApiKey, creatorToColumns } from './entities.ts';
import { keyErrors } from './errors.ts';
import { createKeyText } from './key-text.ts';

/** Keys that a workspace may have. The list of keys has no other limit. */
const keysMax = 200;

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
  const { key, ...text } = createKeyText();
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
    ...text,
  });
  await tx.em.flush();
  return { apiKey, key };
}

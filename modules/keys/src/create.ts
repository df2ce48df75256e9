import { createId, lockLimit, type AccountWriter } from '@service/database';
import type { KeyCreator, Scope, Surface } from '@service/trpc';
import { ApiKey } from './api-key.ts';
import { creatorToColumns } from './creator.ts';
import { keyErrors } from './errors.ts';
import { createKeyText } from './key-text.ts';

/** Keys a workspace may have at a time; it also bounds the list. */
const keysMax = 200;

interface NewKey {
  label: string;
  scopes: readonly Scope[];
  surfaces: readonly Surface[];
  createdBy: KeyCreator;
}

/** Makes a key. The whole text is in the answer and nowhere else. Throws api_key_limit_reached. */
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

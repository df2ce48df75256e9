import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountWriter } from '@service/database';
import { ApiKey } from './entities.ts';
import { keyErrors } from './errors.ts';

/** Deletes a key. The next request with it, on any process, is answered 401. Throws api_key_not_found. */
export async function revokeApiKey(tx: AccountWriter, keyId: string): Promise<void> {
  const deleted = await tx.em.nativeDelete(ApiKey, { accountId: tx.accountId, id: keyId });
  if (deleted === 0) throw keyErrors.api_key_not_found();
}

/** The account of a key, or undefined. For operators, who name a key without its account. */
export async function findKeyOwner(em: EntityManager, keyId: string): Promise<string | undefined> {
  const key = await em.findOne(ApiKey, { id: keyId }, { fields: ['accountId'] });
  return key?.accountId;
}

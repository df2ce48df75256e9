import { countRequests, type KeyUsage } from '@service/keys';
import type { AnsweredCall } from '@service/surface';
import type pg from 'pg';

/** Counts a batch of calls on their keys, in the transaction that writes the calls. */
export async function countKeyUsage(client: pg.ClientBase, calls: readonly AnsweredCall[]): Promise<void> {
  const usageByKey = new Map<string, KeyUsage>();
  for (const { principal, at } of calls) {
    if (principal.kind !== 'key') continue;
    const { accountId, credentialId: keyId } = principal;
    const usage = usageByKey.get(keyId) ?? { accountId, keyId, requests: 0, lastUsedAt: at };
    usage.requests += 1;
    if (at > usage.lastUsedAt) usage.lastUsedAt = at;
    usageByKey.set(keyId, usage);
  }
  await countRequests(client, [...usageByKey.values()]);
}

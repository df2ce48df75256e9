import { countGrantRequests } from '@service/connectors';
import { countRequests, type CountRequests, type CredentialUsage } from '@service/keys';
import type { AnsweredCall } from '@service/surface';
import type pg from 'pg';

type CredentialKind = AnsweredCall['principal']['kind'];

/** In this order in every transaction, so that two processes never deadlock. */
const counters: readonly (readonly [CredentialKind, CountRequests])[] = [
  ['key', countRequests],
  ['grant', countGrantRequests],
];

/** Counts a batch of calls on their keys and grants, in the transaction that writes the calls. */
export async function countUsage(client: pg.ClientBase, calls: readonly AnsweredCall[]): Promise<void> {
  for (const [kind, count] of counters)
    await count(client, sumUp(calls.filter(({ principal }) => principal.kind === kind)));
}

function sumUp(calls: readonly AnsweredCall[]): CredentialUsage[] {
  const usageById = new Map<string, CredentialUsage>();
  for (const { principal, at } of calls) {
    const { accountId, credentialId } = principal;
    const usage = usageById.get(credentialId) ?? { accountId, credentialId, requests: 0, lastUsedAt: at };
    usage.requests += 1;
    if (at > usage.lastUsedAt) usage.lastUsedAt = at;
    usageById.set(credentialId, usage);
  }
  return [...usageById.values()];
}

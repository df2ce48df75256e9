import type { KeyCreator } from '@service/trpc';
import type pg from 'pg';
import { allKeys } from './api-call-count.ts';
import type { WaitingCall } from './recorder.ts';
import { firstFailure } from './status.ts';
import { floorTo, quarterMs } from './span.ts';

// The order of the rows is the order of their locks: two processes that count the same keys cannot wait for each other.
const add = {
  name: 'activity.count_calls',
  text: `
    insert into activity.api_call_count as counted
      (account_id, key_id, starts_at, surface, key_label, successes, failures, key_created_by)
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::jsonb[])
      as added (account_id, key_id, starts_at, surface, key_label, successes, failures, key_created_by)
    order by account_id, key_id, starts_at, surface
    on conflict (account_id, key_id, starts_at, surface) do update set
      successes = counted.successes + excluded.successes,
      failures = counted.failures + excluded.failures`,
};

interface Count {
  accountId: string;
  keyId: string;
  keyLabel: string;
  /** Null for all keys. */
  keyCreatedBy: KeyCreator | null;
  startsAt: Date;
  surface: string;
  successes: number;
  failures: number;
}

/** Adds a batch of calls to the counts, in the transaction that writes the calls. */
export async function countCalls(client: pg.ClientBase, calls: readonly WaitingCall[]): Promise<void> {
  const counts = [...sumUp(calls)];
  await client.query({
    ...add,
    values: [
      counts.map((count) => count.accountId),
      counts.map((count) => count.keyId),
      counts.map((count) => count.startsAt),
      counts.map((count) => count.surface),
      counts.map((count) => count.keyLabel),
      counts.map((count) => count.successes),
      counts.map((count) => count.failures),
      counts.map(({ keyCreatedBy }) => keyCreatedBy && JSON.stringify(keyCreatedBy)),
    ],
  });
}

function sumUp(calls: readonly WaitingCall[]): Iterable<Count> {
  const counts = new Map<string, Count>();
  for (const { principal, at, status } of calls) {
    const { accountId, surface } = principal;
    const startsAt = floorTo(quarterMs, at);
    for (const [keyId, keyLabel, keyCreatedBy] of [
      [principal.keyId, principal.label, principal.createdBy],
      [allKeys, '', null],
    ] as const) {
      const name = `${accountId} ${keyId} ${startsAt.getTime()} ${surface}`;
      let count = counts.get(name);
      if (!count) {
        count = { accountId, keyId, keyLabel, keyCreatedBy, startsAt, surface, successes: 0, failures: 0 };
        counts.set(name, count);
      }
      if (status < firstFailure) count.successes += 1;
      else count.failures += 1;
    }
  }
  return counts.values();
}

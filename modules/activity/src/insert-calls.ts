import type pg from 'pg';
import type { WaitingCall } from './recorder.ts';

const insert = {
  name: 'activity.insert_calls',
  text: `
    insert into activity.api_call
      (account_id, id, surface, status, method, path, tool, replayed, key_id, key_label, duration_ms, request_id)
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::boolean[],
      $9::uuid[], $10::text[], $11::integer[], $12::text[])`,
};

/** Longest path kept; the rest of a longer one says nothing. */
const pathMax = 500;

export async function insertCalls(client: pg.ClientBase, calls: readonly WaitingCall[]): Promise<void> {
  await client.query({
    ...insert,
    values: [
      calls.map((call) => call.principal.accountId),
      calls.map((call) => call.id),
      calls.map((call) => call.principal.surface),
      calls.map((call) => call.status),
      calls.map((call) => call.method ?? null),
      calls.map((call) => call.path?.slice(0, pathMax) ?? null),
      calls.map((call) => call.tool ?? null),
      calls.map((call) => call.replayed),
      calls.map((call) => call.principal.keyId),
      calls.map((call) => call.principal.label),
      calls.map((call) => Math.round(call.durationMs)),
      calls.map((call) => call.requestId),
    ],
  });
}

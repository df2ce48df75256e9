import {
  column,
  createOldRowsDeleter,
  floorTo,
  lowestId,
  nullable,
  quarterMs,
  queryOn,
  rowsToColumns,
  statement,
} from '@service/database';
import { addressPattern, type ErasePerson } from '@service/module';
import type { AnsweredCall } from '@service/surface';
import type { KeyCreator } from '@service/trpc';
import type pg from 'pg';
import { allKeys, firstFailure } from './api-call.ts';

/** A call with the id of its row. */
export type IdentifiedCall = AnsweredCall & { id: string };

const insert = statement({
  name: 'activity.insert_calls',
  text: `
    insert into activity.api_call
      (account_id, id, surface, status, method, path, tool, replayed, key_id, key_label, duration_ms, request_id,
       error_code, refused_fields, user_agent, address, idempotency_key, refused_messages)
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[], $8::boolean[],
      $9::uuid[], $10::text[], $11::integer[], $12::text[],
      $13::text[], $14::jsonb[], $15::text[], $16::text[], $17::text[], $18::jsonb[])`,
});

/** The most that is kept of each text of a call, in characters, and of the refused fields. */
const pathMax = 500;
const userAgentMax = 200;
const addressMax = 60;
const idempotencyKeyMax = 255;
const fieldsMax = 20;
const fieldMax = 100;
const messageMax = 200;

/** Writes a row for each call. Throws a unique violation when the calls are in the database already. */
export async function insertCalls(client: pg.ClientBase, calls: readonly IdentifiedCall[]): Promise<void> {
  await queryOn(client)(insert, [
    calls.map((call) => call.principal.accountId),
    calls.map((call) => call.id),
    calls.map((call) => call.principal.surface),
    calls.map((call) => call.status),
    calls.map((call) => call.method ?? null),
    calls.map((call) => storable(call.path, pathMax)),
    calls.map((call) => call.tool ?? null),
    calls.map((call) => call.replayed),
    calls.map((call) => call.principal.credentialId),
    calls.map((call) => call.principal.label),
    calls.map((call) => Math.round(call.durationMs)),
    calls.map((call) => call.requestId),
    calls.map(({ refusal }) => refusal?.code ?? null),
    calls.map(({ refusal }) => (refusal?.fields.length ? toJson(refusal.fields, fieldMax) : null)),
    calls.map(({ sender }) => storable(sender.userAgent, userAgentMax)),
    calls.map(({ sender }) => storable(sender.address, addressMax)),
    calls.map(({ sender }) => storable(sender.idempotencyKey, idempotencyKeyMax)),
    calls.map(({ refusal }) => (refusal?.fields.length ? toJson(refusal.messages, messageMax) : null)),
  ]);
}

/** The paths or the messages of refused fields. Names of unknown fields are texts of the caller. */
const toJson = (texts: readonly string[], charactersMax: number): string =>
  JSON.stringify(texts.slice(0, fieldsMax).map((text) => storable(text, charactersMax)));

/**
 * A text of the caller, cut. Postgres refuses NUL, and jsonb half a surrogate pair. Over MCP the idempotency key is a text in JSON,
 * which can contain both.
 */
const storable = (text: string | undefined, charactersMax: number): string | null =>
  text?.slice(0, charactersMax).toWellFormed().replaceAll('\0', '\uFFFD') ?? null;

// Rows are locked in the order of `order by`, so two processes that count the same keys never deadlock.
const add = statement({
  name: 'activity.count_calls',
  text: `
    insert into activity.api_call_count as counted
      (account_id, key_id, starts_at, surface, key_label, successes, failures, key_created_by, credential_kind)
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::jsonb[], $9::text[])
      as added (account_id, key_id, starts_at, surface, key_label, successes, failures, key_created_by, credential_kind)
    order by account_id, key_id, starts_at, surface
    on conflict (account_id, key_id, starts_at, surface) do update set
      successes = counted.successes + excluded.successes,
      failures = counted.failures + excluded.failures`,
});

/** A key or a grant. In the counts of all of them only the id is set. */
interface CountedCredential {
  keyId: string;
  keyLabel: string;
  keyCreatedBy: KeyCreator | null;
  credentialKind: AnsweredCall['principal']['kind'] | null;
}

interface Count extends CountedCredential {
  accountId: string;
  startsAt: Date;
  surface: string;
  successes: number;
  failures: number;
}

/** Adds a batch of calls to the counts, in the transaction that writes the calls. */
export async function countCalls(client: pg.ClientBase, calls: readonly AnsweredCall[]): Promise<void> {
  const counts = [...sumUp(calls)];
  await queryOn(client)(add, [
    ...rowsToColumns(
      counts,
      'accountId',
      'keyId',
      'startsAt',
      'surface',
      'keyLabel',
      'successes',
      'failures',
    ),
    counts.map(({ keyCreatedBy }) => keyCreatedBy && JSON.stringify(keyCreatedBy)),
    counts.map(({ credentialKind }) => credentialKind),
  ]);
}

function sumUp(calls: readonly AnsweredCall[]): Iterable<Count> {
  const counts = new Map<string, Count>();
  for (const { principal, at, status } of calls) {
    const { accountId, surface } = principal;
    const startsAt = floorTo(quarterMs, at);
    for (const credential of [credentialOf(principal), allCredentials]) {
      const name = `${accountId} ${credential.keyId} ${startsAt.getTime()} ${surface}`;
      let count = counts.get(name);
      if (!count) {
        count = { ...credential, accountId, startsAt, surface, successes: 0, failures: 0 };
        counts.set(name, count);
      }
      if (status < firstFailure) count.successes += 1;
      else count.failures += 1;
    }
  }
  return counts.values();
}

const credentialOf = (principal: AnsweredCall['principal']): CountedCredential => ({
  keyId: principal.credentialId,
  keyLabel: principal.label,
  keyCreatedBy: principal.createdBy,
  credentialKind: principal.kind,
});

const allCredentials: CountedCredential = {
  keyId: allKeys,
  keyLabel: '',
  keyCreatedBy: null,
  credentialKind: null,
};

const deleteOld = createOldRowsDeleter({ table: 'activity.api_call_count', time: 'starts_at' });

/**
 * Deletes the counts of all accounts before a moment, in batches, and at most those of the oldest two days. Returns the number
 * of deleted rows.
 */
export const deleteCallCountsBefore = (pool: pg.Pool, before: Date): Promise<number> =>
  deleteOld(queryOn(pool), { before });

const callsMax = 5000;

// Callers write addresses into paths and idempotency keys. $2: after this id, $3: the address as a regular expression, $4: at most.
const eraseAddress = statement({
  name: 'activity.erase_address',
  text: `
    with page as materialized (
      select p.id, concat_ws(' ', p.path, p.idempotency_key, p.user_agent, p.refused_fields::text, p.refused_messages::text) ~* $3 as is_named
      from activity.api_call p where p.account_id = $1 and p.id > $2 order by p.id limit $4
    ), erased as (
      update activity.api_call c set path = regexp_replace(c.path, $3, '[erased]', 'gi'),
        idempotency_key = regexp_replace(c.idempotency_key, $3, '[erased]', 'gi'),
        user_agent = regexp_replace(c.user_agent, $3, '[erased]', 'gi'),
        refused_fields = regexp_replace(c.refused_fields::text, $3, '[erased]', 'gi')::jsonb,
        refused_messages = regexp_replace(c.refused_messages::text, $3, '[erased]', 'gi')::jsonb
      from page where page.is_named and c.account_id = $1 and c.id = page.id
    )
    select count(*)::int as count, max(id::text)::uuid as last from page`,
  row: { count: column.integer, last: nullable(column.id) },
});

/** Takes the address of the person out of calls, which stay. */
export const eraseCalls: ErasePerson = async ({ query, accountId }, { email }, cursor) => {
  const [page] = await query(eraseAddress, [accountId, cursor ?? lowestId, addressPattern(email), callsMax]);
  return page!.count === callsMax ? page!.last : null;
};

import {
  accountWriter,
  column,
  mapInTurns,
  nullable,
  statement,
  workFor,
  type AccountWriter,
  type Database,
  type RowsOf,
} from '@service/database';
import type { ChangeAnnouncer } from '@service/changes';
import type { SecretBox } from '@service/secrets';
import type { Attribution } from '../../ledger/attribution.ts';
import { recordFacts } from '../../ledger/record-facts.ts';
import type { RevenueFact } from '../../ledger/revenue-fact.ts';
import type { Reading } from '../provider.ts';
import { keepRefused } from '../refused/keep-refused.ts';
import { ordinaryBytes } from './body-turns.ts';

/** An event whose signature was valid. */
export interface SignedEvent {
  provider: string;
  /** The secret that signed it. */
  secretId: string;
  body: Buffer;
  /** The meaning of the body. It is read once. */
  read(): Reading;
}

export type StoredEvent =
  /** `isConflict`: the event id was known with other content. The first content was kept. */
  | { kind: 'stored' | 'duplicate'; id: string; isConflict: boolean }
  | { kind: 'ignored' | 'refused' }
  /** The secret is not in use any more. Nothing was stored. */
  | { kind: 'unproved' };

export interface StoreParts {
  database: Pick<Database, 'ofAccount'>;
  secretBox: SecretBox;
  attribution: Attribution;
  changes: Pick<ChangeAnnouncer, 'announce'>;
}

const selectSecretIds = statement({
  name: 'revenue.select_secret_ids',
  text: `
    select now() as now, secret_id, case when previous_secret_until > now() then previous_secret_id end as previous_secret_id
    from revenue.source
    where account_id = $1`,
  row: { now: column.time, secret_id: column.id, previous_secret_id: nullable(column.id) },
});

/**
 * Stores events of one account in one transaction, in their order. Their secrets are checked again in it, so that an event is not
 * stored after its secret was replaced. Large bodies are read in turns with other long work.
 */
export async function storeEvents(
  { database, secretBox, attribution, changes }: StoreParts,
  accountId: string,
  signed: readonly SignedEvent[],
): Promise<StoredEvent[]> {
  const account = database.ofAccount(accountId);
  workFor(account);
  const large = signed.filter(({ body }) => body.length > ordinaryBytes);
  await mapInTurns(large, ({ read }) => read());
  const events = signed.map(({ read, ...event }) => ({ ...event, reading: read() }));
  return account.transaction(async (opened) => {
    const { query } = opened;
    const sources = await query(selectSecretIds, [accountId]);
    if (sources.length === 0) return events.map(() => ({ kind: 'unproved' }));
    const tx = accountWriter(opened, { accountId, now: sources[0]!.now });
    const secretIds = new Set(sources.flatMap((row) => [row.secret_id, row.previous_secret_id]));
    const proved = events.filter(({ secretId }) => secretIds.has(secretId));
    const facts = proved.flatMap(({ reading }) => (reading.kind === 'fact' ? [reading.fact] : []));
    const recorded = await record(tx, facts, attribution);
    await keepRefused(tx, proved.flatMap(toRefused), secretBox);
    if (facts.length > 0) tx.afterCommit(() => changes.announce(accountId, 'revenue'));
    return events.map(({ secretId, reading }): StoredEvent => {
      if (!secretIds.has(secretId)) return { kind: 'unproved' };
      if (reading.kind === 'fact') return recorded.get(reading.fact)!;
      return { kind: reading.kind === 'ignored' ? 'ignored' : 'refused' };
    });
  });
}

type ReadEvent = Omit<SignedEvent, 'read'> & { reading: Reading };

const toRefused = ({ provider, reading, body }: ReadEvent) =>
  reading.kind === 'invalid'
    ? [{ provider, body, reason: reading.reason, issues: reading.error.issues ?? [] }]
    : [];

async function record(
  tx: AccountWriter,
  facts: readonly RevenueFact[],
  attribution: Attribution,
): Promise<Map<RevenueFact, StoredEvent>> {
  if (facts.length === 0) return new Map();
  const recorded = await recordFacts(tx, facts, attribution);
  const repeated = facts.filter((_fact, index) => !recorded[index]!.isNew);
  const conflicts = await findConflicts(tx, repeated);
  return new Map(
    facts.map((fact, index) => {
      const { id, isNew } = recorded[index]!;
      return [fact, { kind: isNew ? 'stored' : 'duplicate', id, isConflict: conflicts.has(fact) }];
    }),
  );
}

// Without a name and with a limit, so that the plan is right also while the ledger grows from nothing.
const selectKept = statement({
  text: `
    select e.provider, e.event_id, e.object_id, e.type, e.email, e.amount_minor, e.currency, e.occurred_at
    from unnest($2::text[], $3::text[]) as k (provider, event_id)
    cross join lateral (
      select * from revenue.revenue_event where account_id = $1 and provider = k.provider and event_id = k.event_id limit 1
    ) e`,
  row: {
    provider: column.text,
    event_id: column.text,
    object_id: column.text,
    type: column.text,
    email: nullable(column.text),
    amount_minor: column.digits,
    currency: column.text,
    occurred_at: column.time,
  },
});

/** The facts whose event id is in the ledger with other content. */
async function findConflicts(
  { query, accountId }: AccountWriter,
  repeated: readonly RevenueFact[],
): Promise<Set<RevenueFact>> {
  if (repeated.length === 0) return new Set();
  const rows = await query(selectKept, [
    accountId,
    repeated.map(({ provider }) => provider),
    repeated.map(({ eventId }) => eventId),
  ]);
  const kept = new Map(rows.map((row) => [`${row.provider} ${row.event_id}`, row]));
  return new Set(
    repeated.filter((fact) => {
      const row = kept.get(`${fact.provider} ${fact.eventId}`);
      return row !== undefined && !isSame(fact, row);
    }),
  );
}

const isSame = (fact: RevenueFact, row: RowsOf<typeof selectKept>): boolean =>
  fact.objectId === row.object_id &&
  fact.type === row.type &&
  fact.email === row.email &&
  String(fact.amountMinor) === row.amount_minor &&
  fact.currency === row.currency &&
  fact.occurredAt.getTime() === row.occurred_at.getTime();

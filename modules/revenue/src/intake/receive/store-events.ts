import type { ChangeAnnouncer } from '@service/changes';
import {
  accountWriter,
  column,
  mapInTurns,
  nullable,
  rowsToColumns,
  statement,
  workFor,
  type AccountQueries,
  type AccountWriter,
  type Database,
  type RowsOf,
} from '@service/database';
import type { Issue } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import type { Recorded } from '../../ledger/identify-facts.ts';
import { recordFacts, type Attribution } from '../../ledger/ledger.ts';
import { factsMax, type RevenueFact } from '../../ledger/revenue-fact.ts';
import type { Reading } from '../provider.ts';
import { keepRefused, type RefusedDraft } from '../refused-events.ts';
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

export type ProvedEvent =
  /** `conflict`: the event id was known with other content. The first content was kept, and the other one beside the refused events. */
  { kind: 'stored' | 'duplicate' | 'conflict'; id: string } | { kind: 'ignored' | 'refused' };

export type StoredEvent =
  | ProvedEvent
  /** The secret is not in use any more. Nothing was stored. */
  | { kind: 'unproved' };

interface StoreParts {
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
    const stored = await storeReadings(tx, proved, { secretBox, attribution, changes });
    const outcomes = new Map(proved.map((event, index) => [event, stored[index]!]));
    return events.map((event) => outcomes.get(event) ?? { kind: 'unproved' });
  });
}

/** Stores events that were read and proved, and returns the outcome of each. */
export async function storeReadings(
  tx: AccountWriter,
  events: readonly ReadEvent[],
  { secretBox, attribution, changes }: Omit<StoreParts, 'database'>,
): Promise<ProvedEvent[]> {
  const facts = events.flatMap(({ reading }) => (reading.kind === 'facts' ? reading.facts : []));
  const { recorded, conflicts } = await record(tx, facts, attribution);
  await keepRefused(
    tx,
    events.flatMap((event) => toRefused(event, conflicts)),
    secretBox,
  );
  if (facts.length > 0) tx.afterCommit(() => changes.announce(tx.accountId, 'revenue'));
  return events.map(({ reading }): ProvedEvent => {
    if (reading.kind === 'facts') return outcomeOf(reading.facts, recorded, conflicts);
    return { kind: reading.kind === 'ignored' ? 'ignored' : 'refused' };
  });
}

/** An event with several facts is stored if one of them is new. */
function outcomeOf(
  facts: readonly RevenueFact[],
  recorded: ReadonlyMap<RevenueFact, Recorded>,
  conflicts: Conflicts,
): ProvedEvent {
  const results = facts.map((fact) => recorded.get(fact)!);
  const added = results.find(({ isNew }) => isNew);
  if (facts.some((fact) => conflicts.has(fact))) return { kind: 'conflict', id: results[0]!.id };
  return { kind: added ? 'stored' : 'duplicate', id: (added ?? results[0]!).id };
}

type ReadEvent = Pick<SignedEvent, 'provider' | 'body'> & { reading: Reading };

function toRefused({ provider, reading, body }: ReadEvent, conflicts: Conflicts): RefusedDraft[] {
  if (reading.kind === 'invalid')
    return [{ provider, body, reason: reading.reason, issues: reading.error.issues ?? [] }];
  if (reading.kind === 'ignored') return [];
  const issues = reading.facts.flatMap((fact) => conflicts.get(fact) ?? []);
  return issues.length > 0 ? [{ provider, body, reason: 'other_content', issues }] : [];
}

async function record(tx: AccountWriter, facts: readonly RevenueFact[], attribution: Attribution) {
  if (facts.length === 0) return { recorded: new Map<RevenueFact, Recorded>(), conflicts: new Map() };
  const results: Recorded[] = [];
  // An event may have several facts, so a batch may have more than are recorded at once.
  for (let from = 0; from < facts.length; from += factsMax)
    results.push(...(await recordFacts(tx, facts.slice(from, from + factsMax), attribution)));
  const repeated = facts.filter((_fact, index) => !results[index]!.isNew);
  return {
    recorded: new Map(facts.map((fact, index) => [fact, results[index]!])),
    conflicts: await findConflicts(tx, repeated),
  };
}

// Events whose id the ledger has with other content. The first content is kept, because a sender repeats an event that is refused.

// Without a name and with a limit, so that the plan is right also while the ledger grows from nothing. Purchases are compared with
// their description: it has the content of later ones too.
const selectKept = statement({
  text: `
    select k.place::int, kept.* from unnest($2::text[], $3::text[], $4::text[]) with ordinality as k (provider, event_id, type, place)
    cross join lateral (
      select object_id, email, amount_minor, currency, occurred_at, click_id, registration_id, shared_keys as names
      from revenue.purchase_description
      where k.type = 'purchase' and account_id = $1 and provider = k.provider and event_id = k.event_id
        and amount_minor is not null
      union all
      select object_id, email, amount_minor, currency, occurred_at, click_id, registration_id, payment_keys as names
      from revenue.revenue_event
      where k.type <> 'purchase' and account_id = $1 and provider || '' = k.provider and event_id = k.event_id
        and type || '' = k.type
      limit 1
    ) kept`,
  row: {
    place: column.integer,
    object_id: column.text,
    email: nullable(column.text),
    amount_minor: column.digits,
    currency: column.text,
    occurred_at: column.time,
    click_id: nullable(column.text),
    registration_id: nullable(column.text),
    names: column.texts,
  },
});

/** For each event that repeats an id with other content: the fields that differ. */
type Conflicts = ReadonlyMap<RevenueFact, Issue[]>;

async function findConflicts(
  { query, accountId }: AccountQueries,
  repeated: readonly RevenueFact[],
): Promise<Conflicts> {
  if (repeated.length === 0) return new Map();
  const rows = await query(selectKept, [
    accountId,
    ...rowsToColumns(repeated, 'provider', 'eventId', 'type'),
  ]);
  const differing = rows.map((row) => {
    const fact = repeated[row.place - 1]!;
    return [fact, differences(fact, row)] as const;
  });
  return new Map(differing.filter(([, issues]) => issues.length > 0));
}

/** In the words of the generic payload, the only one whose sender chooses the id. */
function differences(fact: RevenueFact, kept: RowsOf<typeof selectKept>): Issue[] {
  const isPurchase = fact.type === 'purchase';
  // The last name of a generic refund or chargeback is its own id.
  const originalOf = (names: readonly string[]): string | null =>
    (!isPurchase && names.at(-1) === fact.eventId ? names.slice(0, -1) : names)[0] ?? null;
  const fields: [path: string, now: string | null, kept: string | null][] = [
    ['object', fact.objectId, kept.object_id],
    ['amount_minor', String(fact.amountMinor), kept.amount_minor],
    ['currency', fact.currency, kept.currency],
    ['timestamp', fact.occurredAt.toISOString(), kept.occurred_at.toISOString()],
    [
      'original_transaction_id',
      originalOf(isPurchase ? (fact.sharedKeys ?? []) : fact.paymentKeys),
      originalOf(kept.names),
    ],
  ];
  const { email, click_id: clickId, registration_id: registrationId } = kept;
  // An event without any of them may have lost them in an erasure.
  if (email !== null || clickId !== null || registrationId !== null)
    fields.push(
      ['email', fact.email, email],
      ['click_id', fact.clickId, clickId],
      ['registration_id', fact.registrationId, registrationId],
    );
  return fields
    .filter(([, now, before]) => now !== before)
    .map(([path, , before]) => ({ path, message: `The event that was kept has ${before ?? 'none'}.` }));
}

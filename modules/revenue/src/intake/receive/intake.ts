// The way of an event: signature, limit of the account, meaning, transaction, answer. An answer is given after the commit.
import type { ChangeAnnouncer } from '@service/changes';
import { databaseTime, isCancelled, type AccountWriter, type Database } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import { createBuckets } from '@service/rest';
import type { SecretBox } from '@service/secrets';
import { errorOf } from '@service/trpc';
import { revenueErrors } from '../../errors.ts';
import type { Attribution } from '../../ledger/ledger.ts';
import { revenueUrl, type EventOutcome, type Reading, type RevenueProvider } from '../provider.ts';
import { generic, payloadToFact, type GenericPayload } from '../providers/generic/generic.ts';
import { createSourceKeyReader } from '../source/open-source-keys.ts';
import { createSourceActivity } from '../source/source-activity.ts';
import { createAccountQueue } from './account-queue.ts';
import { ordinaryBytes } from './body-turns.ts';
import { addressOf, createProver, type IncomingEvent } from './prove.ts';
import {
  storeEvents,
  storeReadings,
  type ProvedEvent,
  type SignedEvent,
  type StoredEvent,
} from './store-events.ts';

export interface IntakeParts {
  database: Pick<Database, 'ofAccount' | 'query'>;
  secretBox: SecretBox;
  attribution: Attribution;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  log: Log;
  providers: readonly RevenueProvider[];
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** Events of one account to this process. By default more than a shop sends with a thousand sales in a second. */
  eventsOfAccount?: { burst: number; perMinute: number };
}

export interface IntakeAnswer {
  status: number;
  body: object;
}

export interface RevenueIntake {
  providers: readonly RevenueProvider[];
  /** The address of a source. */
  urlOf(accountId: string, provider: string): string;
  /**
   * Stores an event and returns its answer, after the commit. Throws invalid_signature for every event that is not proved,
   * too_many_revenue_requests, revenue_rate_limited, the errors of a refused event, and service_unavailable.
   */
  receive(event: IncomingEvent): Promise<IntakeAnswer>;
  /**
   * Stores generic payloads of a client with a key, in their order and in the transaction of its call. Events that are known from a webhook
   * are duplicates.
   */
  storePayloads(tx: AccountWriter, payloads: readonly GenericPayload[]): Promise<ProvedEvent[]>;
  /** Throws too_many_revenue_requests for a sender of too many events that were not proved. */
  requireUnprovedLeft(sender: string): void;
  /** Waits for the events that are being stored. */
  close(): Promise<void>;
}

const ampleEvents = { burst: 20_000, perMinute: 60_000 };

/** Memory of an event beside its body. */
const eventBytes = 2048;

export function createRevenueIntake({
  providers,
  baseUrl,
  eventsOfAccount = ampleEvents,
  ...parts
}: IntakeParts): RevenueIntake {
  const sources = createSourceKeyReader(parts.database.query, parts.secretBox);
  const activity = createSourceActivity(parts);
  const { prove, proveFresh, requireUnprovedLeft } = createProver(sources, activity);
  const events = createBuckets(eventsOfAccount);
  const queue = createAccountQueue<SignedEvent, StoredEvent>({
    run: (accountId, batch) => storeEvents(parts, accountId, batch),
    bytesOf: ({ body }) => eventBytes + body.length,
  });

  const admit = (accountId: string, now: Date): void => {
    const retryAfterSeconds = events.take(accountId, now);
    if (retryAfterSeconds !== undefined) throw revenueErrors.revenue_rate_limited({ retryAfterSeconds });
  };

  const store = async (event: IncomingEvent, signed: SignedEvent): Promise<ProvedEvent> => {
    const { accountId } = addressOf(event);
    const stored = await queue.add(accountId, signed);
    if (stored.kind !== 'unproved') return stored;
    // The remembered secret was replaced. The signature may be that of the new one, so the present keys decide.
    const again = await queue.add(accountId, { ...signed, secretId: await proveFresh(event) });
    if (again.kind === 'unproved') throw revenueErrors.invalid_signature();
    return again;
  };

  const count = (event: IncomingEvent, reading: Reading, stored: ProvedEvent): void => {
    const address = addressOf(event);
    if (reading.kind === 'invalid') activity.refused(address, reading.reason);
    else activity.received(address, countOf(stored));
    if (reading.kind === 'facts' && stored.kind === 'conflict')
      activity.conflicted(address, reading.facts[0]!.eventId);
  };

  return {
    providers,
    urlOf: (accountId, provider) => revenueUrl(baseUrl, accountId, provider),
    requireUnprovedLeft,
    storePayloads: (tx, payloads) =>
      storeReadings(
        tx,
        payloads.map((payload) => ({
          provider: generic.name,
          body: Buffer.from(JSON.stringify(payload)),
          reading: { kind: 'facts', facts: [payloadToFact(payload)] },
        })),
        parts,
      ),
    async receive(event) {
      const { provider, body } = event;
      const secretId = await prove(event);
      const now = databaseTime();
      admit(addressOf(event).accountId, now);
      const read = onceOf(() => provider.read(body, { now }));
      if (body.length <= ordinaryBytes) read();
      const stored = await store(event, { provider: provider.name, secretId, body, read }).catch(
        (error: unknown) => {
          throw repeatable(error);
        },
      );
      const reading = read();
      count(event, reading, stored);
      if (reading.kind === 'invalid' && provider.refusesInvalid) throw reading.error;
      return provider.answer(outcomeOf(stored));
    },
    async close() {
      await Promise.all([queue.drain(), sources.drain()]);
      await activity.close();
    },
  };
}

/** A function that makes its result once. */
function onceOf<Result extends object>(make: () => Result): () => Result {
  let result: Result | undefined;
  return () => (result ??= make());
}

/** A repeated event is stored once, so a sender may repeat it also after an unknown outcome, or a statement that took too long. */
function repeatable(error: unknown): AppError {
  const known = errorOf(error);
  if (known.code !== 'outcome_unknown' && !isCancelled(error)) return known;
  return commonErrors.service_unavailable({ retryAfterSeconds: 1, cause: error });
}

const countOf = ({ kind }: ProvedEvent): 'accepted' | 'duplicates' | 'ignored' =>
  kind === 'stored' ? 'accepted' : kind === 'duplicate' || kind === 'conflict' ? 'duplicates' : 'ignored';

function outcomeOf(stored: ProvedEvent): EventOutcome {
  if ('id' in stored) return { kind: stored.kind, id: stored.id };
  return { kind: stored.kind === 'refused' ? 'not_understood' : 'ignored' };
}

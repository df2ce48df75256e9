// The way of an event: signature, limit of the account, meaning, transaction, answer. An answer is given after the commit.
import type { IncomingHttpHeaders } from 'node:http';
import { createBuckets } from '@service/attendees';
import type { ChangeAnnouncer } from '@service/changes';
import { databaseTime, type Database } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import type { SecretBox } from '@service/secrets';
import { errorOf } from '@service/trpc';
import { revenueErrors } from '../../errors.ts';
import type { Attribution } from '../../ledger/attribution.ts';
import type { EventOutcome, RevenueProvider, Verdict } from '../provider.ts';
import { createSourceActivity } from '../source/source-activity.ts';
import { createSourceKeyReader, type SourceAddress, type SourceKeys } from '../source/source-keys.ts';
import { createAccountQueue } from './account-queue.ts';
import { revenueUrl } from './revenue-url.ts';
import { storeEvents, type SignedEvent, type StoredEvent } from './store-events.ts';

export interface IntakeParts {
  database: Pick<Database, 'ofAccount' | 'query'>;
  secretBox: SecretBox;
  attribution: Attribution;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  log: Log;
  providers: readonly RevenueProvider[];
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
}

export interface IncomingEvent {
  /** As in the path, which may be no id. */
  accountId: string;
  provider: RevenueProvider;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  /** The group of addresses to which the sender belongs. */
  sender: string;
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
  /** Waits for the events that are being stored. */
  close(): Promise<void>;
}

/** Events of one account to one process. Two hundred times the peak of a large shop. */
const eventsOfAccount = { burst: 20_000, perMinute: 60_000 };

/** Events without a valid signature from one address. */
const unprovedOfAddress = { burst: 100, perMinute: 60 };

export function createRevenueIntake({ providers, baseUrl, ...parts }: IntakeParts): RevenueIntake {
  const sources = createSourceKeyReader(parts.database.query, parts.secretBox);
  const activity = createSourceActivity(parts);
  const events = createBuckets(eventsOfAccount);
  const unproved = createBuckets(unprovedOfAddress);
  const queue = createAccountQueue<SignedEvent, StoredEvent>({
    run: (accountId, batch) => storeEvents(parts, accountId, batch),
    bytesOf: ({ body }) => 2048 + (body?.length ?? 0),
  });

  /** The id of the secret that signed the event, from the keys of an earlier read if they prove it. Throws invalid_signature. */
  const prove = async (event: IncomingEvent, address: SourceAddress): Promise<string> => {
    const known = check(event, sources.remembered(address));
    return known.secretId ?? proveFresh(event, address);
  };

  const proveFresh = async (event: IncomingEvent, address: SourceAddress): Promise<string> => {
    const now = databaseTime();
    const retryAfterSeconds = unproved.take(event.sender, now);
    if (retryAfterSeconds !== undefined) throw revenueErrors.too_many_revenue_requests({ retryAfterSeconds });
    const found = await sources.read(address).catch((error: unknown) => {
      unproved.giveBack(event.sender);
      throw error;
    });
    const { secretId, verdict } = check(event, found);
    if (secretId === undefined) {
      if (found.exists && !verdict.isValid) activity.refused(address, verdict.reason);
      throw revenueErrors.invalid_signature();
    }
    unproved.giveBack(event.sender);
    return secretId;
  };

  const store = async (
    event: IncomingEvent,
    address: SourceAddress,
    signed: SignedEvent,
  ): Promise<StoredEvent> => {
    const stored = await queue.add(address.accountId, signed);
    if (stored.kind !== 'unproved') return stored;
    // The remembered secret was replaced. The signature may be that of the new one, so the present keys decide.
    const secretId = await proveFresh(event, address);
    return queue.add(address.accountId, { ...signed, secretId });
  };

  return {
    providers,
    urlOf: (accountId, provider) => revenueUrl(baseUrl, accountId, provider),
    async receive(event) {
      const { provider, body } = event;
      const address = { accountId: idOf(event.accountId), provider: provider.name };
      const secretId = await prove(event, address);
      const now = databaseTime();
      const retryAfterSeconds = events.take(address.accountId, now);
      if (retryAfterSeconds !== undefined) throw revenueErrors.revenue_rate_limited({ retryAfterSeconds });
      const reading = provider.read(body, { now });
      const signed: SignedEvent = {
        provider: provider.name,
        secretId,
        reading,
        body: reading.kind === 'invalid' ? body : undefined,
      };
      const stored = await store(event, address, signed).catch((error: unknown) => {
        throw repeatable(error);
      });
      if (stored.kind === 'unproved') throw revenueErrors.invalid_signature();
      if (reading.kind === 'invalid') {
        activity.refused(address, reading.reason);
        if (provider.refusesInvalid) throw reading.error;
      } else activity.received(address, countOf(stored));
      if (reading.kind === 'fact' && 'isConflict' in stored && stored.isConflict)
        activity.conflicted(address, reading.fact.eventId);
      return provider.answer(outcomeOf(stored));
    },
    async close() {
      await Promise.all([queue.drain(), sources.drain()]);
      await activity.close();
    },
  };
}

/** The secret that proves an event, and the verdict of the provider. */
function check(
  { provider, headers, body }: IncomingEvent,
  { keys }: SourceKeys,
): { secretId: string | undefined; verdict: Verdict } {
  const verdict = provider.verify({ headers, body, keys: keys.map(({ key }) => key), now: databaseTime() });
  return { secretId: verdict.isValid ? keys[verdict.keyIndex]!.secretId : undefined, verdict };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text that is no id is read like the id of an unknown account, so that both take the same time. */
const idOf = (text: string): string =>
  uuid.test(text) ? text.toLowerCase() : '00000000-0000-0000-0000-000000000000';

/** A repeated event is stored once, so a sender may repeat it also after an unknown outcome. */
function repeatable(error: unknown): AppError {
  const known = errorOf(error);
  if (known.code !== 'outcome_unknown') return known;
  return commonErrors.service_unavailable({ retryAfterSeconds: 1, cause: error });
}

const countOf = ({ kind }: StoredEvent): 'accepted' | 'duplicates' | 'ignored' =>
  kind === 'stored' ? 'accepted' : kind === 'duplicate' ? 'duplicates' : 'ignored';

function outcomeOf(stored: Exclude<StoredEvent, { kind: 'unproved' }>): EventOutcome {
  if ('id' in stored) return { kind: stored.kind, id: stored.id };
  return { kind: stored.kind === 'refused' ? 'not_understood' : 'ignored' };
}

import type { AccountReader, AccountWriter } from '@service/database';
import type { Jobs } from '@service/jobs';
import type { SecretBox } from '@service/secrets';
import {
  cancelWaiting,
  createEndpoint,
  deleteEndpoint,
  findEndpoints,
  moveEndpoint,
  revealSecret,
  rotateSecret,
  type EndpointSummary,
} from './endpoints.ts';
import { insertDrafts, type DeliveryDraft } from './enqueue.ts';
import { findSummaries, getDelivery } from './history.ts';
import { listDeliveries, type DeliveryPage, type DeliveryQuery } from './list-deliveries.ts';
import { redeliver, type RedeliveryInput } from './redeliver.ts';
import type { DeliveryDetailOutput, DeliverySummary } from './schemas.ts';
import { pumpJob } from './tasks.ts';

/** What other modules may do with deliveries. */
export interface Deliveries {
  /** Makes an endpoint with a new secret, which is not readable anywhere else. The URL must have been judged before. */
  createEndpoint(
    tx: AccountWriter,
    input: { url: string },
  ): Promise<{ endpointId: string; secret: string; secretLast4: string }>;
  /** From now on everything goes to this URL, retries too. It must have been judged before. Throws endpoint_not_found. */
  moveEndpoint(tx: AccountWriter, endpointId: string, url: string): Promise<void>;
  /** A new secret in place of the old one, for retries too. Throws endpoint_not_found. */
  rotateSecret(tx: AccountWriter, endpointId: string): Promise<{ secret: string; secretLast4: string }>;
  /**
   * Cancels what waits for an endpoint that stays. An attempt that is under way is recorded and, should it fail, not
   * repeated.
   */
  cancelWaiting(tx: AccountWriter, endpointId: string): Promise<void>;
  /** Removes an endpoint; its waiting deliveries become cancelled. Throws endpoint_not_found. */
  deleteEndpoint(tx: AccountWriter, endpointId: string): Promise<void>;
  /** The secret in clear, for somebody who may see it. Throws endpoint_not_found. */
  revealSecret(reader: AccountReader, endpointId: string): Promise<string>;
  /** By id; those that are not there, or not yours, are left out. */
  endpoints(reader: AccountReader, endpointIds: readonly string[]): Promise<Map<string, EndpointSummary>>;
  /** Writes deliveries in the caller's transaction and wakes a worker after its commit. Ids in the order of drafts. */
  enqueue(tx: AccountWriter, drafts: readonly DeliveryDraft[]): Promise<string[]>;
  /** By id; those that are not there, or not yours, are left out. */
  summaries(reader: AccountReader, deliveryIds: readonly string[]): Promise<Map<string, DeliverySummary>>;
  /**
   * Sends a finished delivery again as a new one and returns its id. Throws delivery_not_found, delivery_still_waiting.
   */
  redeliver(tx: AccountWriter, input: RedeliveryInput): Promise<string>;
  /** An endpoint's deliveries, newest first. Where few match a page may be short and still name the next. */
  list(reader: AccountReader, query: DeliveryQuery): Promise<DeliveryPage>;
  /** One delivery with its attempts; with `endpointIds` only if it went to one of them. Throws delivery_not_found. */
  get(
    reader: AccountReader,
    query: { deliveryId: string; endpointIds?: readonly string[] | undefined },
  ): Promise<DeliveryDetailOutput>;
}

interface DeliveriesOptions {
  secretBox: SecretBox;
  jobs: Pick<Jobs, 'wake'>;
  /** Seconds before each try, the same list the workers have: its first wait is when a new delivery is due. */
  retryScheduleSeconds: readonly number[];
}

export function createDeliveries({ secretBox, jobs, retryScheduleSeconds }: DeliveriesOptions): Deliveries {
  return {
    createEndpoint: (tx, input) => createEndpoint(tx, input, secretBox),
    moveEndpoint,
    rotateSecret: (tx, endpointId) => rotateSecret(tx, endpointId, secretBox),
    cancelWaiting,
    deleteEndpoint,
    revealSecret: (reader, endpointId) => revealSecret(reader, endpointId, secretBox),
    endpoints: findEndpoints,
    async enqueue(tx, drafts) {
      if (drafts.length === 0) return [];
      const ids = insertDrafts(tx, drafts, retryScheduleSeconds);
      tx.afterCommit(() => jobs.wake(pumpJob));
      return ids;
    },
    async redeliver(tx, input) {
      const id = await redeliver(tx, input, retryScheduleSeconds);
      tx.afterCommit(() => jobs.wake(pumpJob));
      return id;
    },
    summaries: findSummaries,
    list: listDeliveries,
    get: getDelivery,
  };
}

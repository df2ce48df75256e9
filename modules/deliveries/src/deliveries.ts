import type { AccountReader, AccountWriter } from '@service/database';
import type { Jobs } from '@service/jobs';
import type { SecretBox } from '@service/secrets';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoints,
  revealSecret,
  type EndpointSummary,
} from './endpoints.ts';
import { insertDrafts, type DeliveryDraft } from './enqueue.ts';
import { findSummaries, getDelivery, listDeliveries, type DeliveryPage } from './history.ts';
import type { DeliveryDetailOutput, DeliverySummary } from './schemas.ts';
import { pumpJob } from './tasks.ts';

/** What other modules may do with deliveries. */
export interface Deliveries {
  /** Makes an endpoint with a new secret, which is not readable anywhere else. The URL must have been judged before. */
  createEndpoint(
    tx: AccountWriter,
    input: { url: string },
  ): Promise<{ endpointId: string; secret: string; secretLast4: string }>;
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
  /** Newest first. The cursor belongs to this set of endpoints. */
  list(
    reader: AccountReader,
    query: { endpointIds: readonly string[]; limit: number; cursor?: string | undefined },
  ): Promise<DeliveryPage>;
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
    deleteEndpoint,
    revealSecret: (reader, endpointId) => revealSecret(reader, endpointId, secretBox),
    endpoints: findEndpoints,
    async enqueue(tx, drafts) {
      if (drafts.length === 0) return [];
      const ids = await insertDrafts(tx, drafts, retryScheduleSeconds);
      tx.afterCommit(() => jobs.wake(pumpJob));
      return ids;
    },
    summaries: findSummaries,
    list: listDeliveries,
    get: getDelivery,
  };
}

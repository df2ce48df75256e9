import type { AccountReader, AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoints,
  moveEndpoint,
  probe,
  revealSecret,
  rotateSecret,
  setEnabled,
  type EndpointSummary,
} from './endpoint/endpoints.ts';
import { findSummaries, getDelivery } from './history/history.ts';
import { listDeliveries, type DeliveryPage, type DeliveryQuery } from './history/list-deliveries.ts';
import { insertDrafts, type DeliveryDraft } from './queue/enqueue.ts';
import { findEndpointId, findRedeliveries } from './redelivery/find-redeliveries.ts';
import {
  cancelRecovery,
  createRecovery,
  getRecovery,
  listRecoveries,
  previewRecovery,
  type RecoveryPage,
  type RecoveryRequest,
} from './redelivery/recoveries.ts';
import type { RecoveryOutput, RecoveryPreviewOutput } from './redelivery/recovery-schemas.ts';
import { redeliver, type Redelivery, type RedeliveryInput, type Refire } from './redelivery/redeliver.ts';
import type { DeliveryDetailOutput, DeliverySummary } from './schemas.ts';

/** What other modules may do with deliveries. */
export interface Deliveries {
  /** Makes an endpoint with a new secret, which is not readable anywhere else. The URL must have been judged before. */
  createEndpoint(
    tx: AccountWriter,
    input: { url: string; enabled: boolean },
  ): Promise<{ endpointId: string; secret: string; secretLast4: string }>;
  /** From now on everything goes to this URL, retries too. It must have been judged before. Throws endpoint_not_found. */
  moveEndpoint(tx: AccountWriter, endpointId: string, url: string): Promise<void>;
  /** A new secret in place of the old one, for retries too. Throws endpoint_not_found. */
  rotateSecret(tx: AccountWriter, endpointId: string): Promise<{ secret: string; secretLast4: string }>;
  /**
   * Switched off, nothing more is sent and what waits is cancelled; an attempt that is under way is recorded and, should it
   * fail, not repeated. Switched on, new deliveries go. Throws endpoint_not_found.
   */
  setEnabled(tx: AccountWriter, endpointId: string, enabled: boolean): Promise<void>;
  /** Has a paused endpoint tried at once; nothing happens to others. */
  probe(tx: AccountWriter, endpointId: string): Promise<void>;
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
   * Sends a finished delivery again as a new one. Throws delivery_not_found, delivery_still_waiting, and with `onlyFailed`
   * delivery_not_failed.
   */
  redeliver(tx: AccountWriter, input: RedeliveryInput): Promise<Redelivery>;
  /** Every delivery that repeats one of these, oldest first. */
  redeliveriesOf(
    reader: AccountReader,
    deliveryIds: readonly string[],
  ): Promise<{ id: string; redeliveryOf: string }[]>;
  /** Where a delivery went. Throws delivery_not_found. */
  endpointOf(reader: AccountReader, deliveryId: string): Promise<string>;
  /** How many deliveries a recovery would send again; nothing is written. Looks at 100,000 at most. */
  previewRecovery(
    reader: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
    request: RecoveryRequest,
  ): Promise<RecoveryPreviewOutput>;
  /** Has workers send again what ended so in that time, each message once. Throws recovery_running. */
  createRecovery(tx: AccountWriter, request: RecoveryRequest): Promise<RecoveryOutput>;
  /** Recoveries of an endpoint, newest first. */
  listRecoveries(
    reader: AccountReader,
    query: { endpointId: string; limit: number; cursor?: string | undefined },
  ): Promise<RecoveryPage>;
  /** Throws recovery_not_found. */
  getRecovery(
    reader: AccountReader,
    key: { recoveryId: string; endpointId: string },
  ): Promise<RecoveryOutput>;
  /** Stops one; what it has queued stays queued. Throws recovery_not_found, recovery_finished. */
  cancelRecovery(tx: AccountWriter, key: { recoveryId: string; endpointId: string }): Promise<RecoveryOutput>;
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
  /** Says, after a commit, that something is due (`createWake`). */
  wake: () => void;
  /** Makes the body of a redelivery. */
  refire: Refire;
  /** Seconds before each try, the same list the workers have: its first wait is when a new delivery is due. */
  retryScheduleSeconds: readonly number[];
}

export function createDeliveries({
  secretBox,
  wake,
  refire,
  retryScheduleSeconds: scheduleSeconds,
}: DeliveriesOptions): Deliveries {
  return {
    createEndpoint: (tx, input) => createEndpoint(tx, input, secretBox),
    moveEndpoint,
    rotateSecret: (tx, endpointId) => rotateSecret(tx, endpointId, secretBox),
    setEnabled,
    probe,
    deleteEndpoint,
    revealSecret: (reader, endpointId) => revealSecret(reader, endpointId, secretBox),
    endpoints: findEndpoints,
    async enqueue(tx, drafts) {
      if (drafts.length === 0) return [];
      const ids = insertDrafts(tx, drafts, scheduleSeconds);
      tx.afterCommit(wake);
      return ids;
    },
    async redeliver(tx, input) {
      const redelivery = await redeliver(tx, input, { refire, scheduleSeconds });
      tx.afterCommit(wake);
      return redelivery;
    },
    redeliveriesOf: findRedeliveries,
    endpointOf: findEndpointId,
    previewRecovery,
    createRecovery,
    listRecoveries,
    getRecovery,
    cancelRecovery,
    summaries: findSummaries,
    list: listDeliveries,
    get: getDelivery,
  };
}

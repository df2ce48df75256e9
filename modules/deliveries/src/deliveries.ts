import type { AccountReader, AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import {
  defaultQuota,
  readUsage,
  requireRoom,
  type DeliveryUsageOutput,
  type Quota,
} from './account/quota.ts';
import type { CancelledDeliveriesOutput } from './endpoint/cancel-waiting.ts';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoints,
  moveEndpoint,
  probe,
  revealSecret,
  rotateSecret,
  setEnabled,
  setHalted,
  type EndpointSummary,
} from './endpoint/endpoints.ts';
import { readWaiting, type WaitingOutput } from './endpoint/flush.ts';
import { sendWaiting, stopSending } from './endpoint/send-waiting.ts';
import { findNewest, findSummaries, getDelivery } from './history/history.ts';
import { listDeliveries, type DeliveryPage, type DeliveryQuery } from './history/list-deliveries.ts';
import { insertDrafts, type DeliveryDraft } from './queue/enqueue.ts';
import {
  cancelRecovery,
  createRecovery,
  getRecovery,
  listRecoveries,
  previewRecovery,
  type RecoveryPage,
  type RecoveryRequest,
} from './redelivery/recoveries.ts';
import type { RecoveryOutput, RecoveryPreviewOutput } from './redelivery/recovery.ts';
import {
  findEndpointId,
  findRedeliveries,
  redeliver,
  type Redelivery,
  type RedeliveryInput,
  type Refire,
} from './redelivery/redeliver.ts';
import type { DeliveryDetail, DeliveryOutput, DeliverySummary } from './schemas.ts';
import {
  readHistogram,
  type DeliveryHistogram,
  type HistogramQuery,
} from './statistics/delivery-histogram.ts';
import { readStatistics, type EndpointStatistics } from './statistics/endpoint-statistics.ts';

/** The calls of other modules. */
export interface Deliveries {
  /** Makes an endpoint with a new secret. The URL must have been checked with packages/outbound-http. */
  createEndpoint(
    tx: AccountWriter,
    input: { url: string; enabled: boolean },
  ): Promise<{ endpointId: string; secret: string; secretLast4: string }>;
  /** Sends everything to this URL from now on, retries too. The URL must have been checked. Throws endpoint_not_found. */
  moveEndpoint(tx: AccountWriter, endpointId: string, url: string): Promise<void>;
  /** Replaces the secret, for retries too. Throws endpoint_not_found. */
  rotateSecret(tx: AccountWriter, endpointId: string): Promise<{ secret: string; secretLast4: string }>;
  /**
   * Switching off cancels and counts waiting deliveries; an attempt in flight is recorded and not repeated if it fails. Switching on
   * sends new deliveries only, and returns null. Throws endpoint_not_found.
   */
  setEnabled(
    tx: AccountWriter,
    endpointId: string,
    enabled: boolean,
  ): Promise<CancelledDeliveriesOutput | null>;
  /** While an endpoint is halted, deliveries wait and only tests are sent. Resuming releases them. Throws endpoint_not_found. */
  setHalted(tx: AccountWriter, endpointId: string, halted: boolean): Promise<void>;
  /** Has a paused endpoint probed at once. Does nothing to other endpoints. */
  probe(tx: AccountWriter, endpointId: string): Promise<void>;
  /** Deletes an endpoint and cancels its waiting deliveries. Throws endpoint_not_found. */
  deleteEndpoint(tx: AccountWriter, endpointId: string): Promise<void>;
  /** The secret in clear text. The caller must check that the person may see it. Throws endpoint_not_found. */
  revealSecret(reader: AccountReader, endpointId: string): Promise<string>;
  /** By id. Endpoints that do not exist or belong to another account are left out. */
  endpoints(reader: AccountReader, endpointIds: readonly string[]): Promise<Map<string, EndpointSummary>>;
  /**
   * Writes deliveries in the caller's transaction and wakes workers after its commit. Returns ids in the order of the drafts. Beyond a
   * limit of the account, or of an endpoint that has never answered, a delivery ends at once as a failure (`backlog_full`).
   */
  enqueue(tx: AccountWriter, drafts: readonly DeliveryDraft[]): Promise<string[]>;
  /** Throws delivery_backlog_full when the account has reached a limit. For calls that may be refused: never those of attendees. */
  requireRoom(reader: Pick<AccountReader, 'query' | 'accountId'>): Promise<void>;
  /** Reads the usage of the account and its limits. */
  usage(reader: Pick<AccountReader, 'query' | 'accountId'>): Promise<DeliveryUsageOutput>;
  /** By id. Deliveries that do not exist or belong to another account are left out. */
  summaries(reader: AccountReader, deliveryIds: readonly string[]): Promise<Map<string, DeliverySummary>>;
  /**
   * Sends a delivery again as a new one. A waiting delivery ends as cancelled and names the new one. Throws delivery_not_found,
   * delivery_in_flight, delivery_replaced, delivery_backlog_full, and with `isRefire` delivery_not_failed.
   */
  redeliver(tx: AccountWriter, input: RedeliveryInput): Promise<Redelivery>;
  /** The deliveries that wait for an endpoint, and the last run that sent them all. */
  waiting(reader: AccountReader, endpointId: string): Promise<WaitingOutput>;
  /** Has everything that waits sent now. A paused endpoint is probed. While a run is going on, starts no other. Throws endpoint_halted. */
  sendWaiting(tx: AccountWriter, endpointId: string): Promise<WaitingOutput>;
  /** Stops that run: what it has not released waits for its own time again. */
  stopSending(tx: AccountWriter, endpointId: string): Promise<WaitingOutput>;
  /** All redeliveries of these deliveries, oldest first. */
  redeliveriesOf(
    reader: AccountReader,
    deliveryIds: readonly string[],
  ): Promise<{ id: string; redeliveryOf: string }[]>;
  /** The endpoint of a delivery. Throws delivery_not_found. */
  endpointOf(reader: AccountReader, deliveryId: string): Promise<string>;
  /** Counts the deliveries that a recovery would redeliver, among 100,000 at most. Writes nothing. */
  previewRecovery(
    reader: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
    request: RecoveryRequest,
  ): Promise<RecoveryPreviewOutput>;
  /** Has workers redeliver deliveries with these statuses and of this time range, each message once. Throws recovery_running. */
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
  /** Stops a recovery; its queued redeliveries stay queued. Throws recovery_not_found, recovery_finished. */
  cancelRecovery(tx: AccountWriter, key: { recoveryId: string; endpointId: string }): Promise<RecoveryOutput>;
  /** Counts what waits for each endpoint, and the results of its last 24 hours. */
  statistics(reader: AccountReader, endpointIds: readonly string[]): Promise<Map<string, EndpointStatistics>>;
  /** The newest delivery of each endpoint that has any. */
  newest(reader: AccountReader, endpointIds: readonly string[]): Promise<Map<string, DeliveryOutput>>;
  /** Counts over time, of endpoints or of the account. */
  histogram(reader: AccountReader, query: HistogramQuery): Promise<DeliveryHistogram>;
  /** Deliveries of an endpoint, of several or of the account, newest first. When few match, a page may be short and still have a next page. */
  list(reader: AccountReader, query: DeliveryQuery): Promise<DeliveryPage>;
  /** One delivery with its attempts. With `endpointIds`, only a delivery to one of them. Throws delivery_not_found. */
  get(
    reader: AccountReader,
    query: { deliveryId: string; endpointIds?: readonly string[] | undefined },
  ): Promise<DeliveryDetail>;
}

interface DeliveriesOptions {
  secretBox: SecretBox;
  /** Announces, after a commit, that something is due (`createWake`). */
  wake: () => void;
  /** Makes the body of a redelivery. */
  refire: Refire;
  /** Seconds before each try, the same list as in the workers. A new delivery is due after the first wait. */
  retryScheduleSeconds: readonly number[];
  /** The limits of an account. */
  quota?: Quota | undefined;
}

export function createDeliveries({
  secretBox,
  wake,
  refire,
  retryScheduleSeconds: scheduleSeconds,
  quota = defaultQuota,
}: DeliveriesOptions): Deliveries {
  const enqueueOptions = { scheduleSeconds, quota };
  return {
    createEndpoint: (tx, input) => createEndpoint(tx, input, secretBox),
    moveEndpoint,
    rotateSecret: (tx, endpointId) => rotateSecret(tx, endpointId, secretBox),
    setEnabled,
    setHalted,
    probe,
    deleteEndpoint,
    revealSecret: (reader, endpointId) => revealSecret(reader, endpointId, secretBox),
    endpoints: findEndpoints,
    async enqueue(tx, drafts) {
      if (drafts.length === 0) return [];
      const ids = insertDrafts(tx, drafts, enqueueOptions);
      tx.afterCommit(wake);
      return ids;
    },
    async redeliver(tx, input) {
      const redelivery = await redeliver(tx, input, { refire, ...enqueueOptions });
      tx.afterCommit(wake);
      return redelivery;
    },
    requireRoom: (reader) => requireRoom(reader, quota),
    usage: (reader) => readUsage(reader, quota),
    waiting: readWaiting,
    sendWaiting,
    stopSending,
    redeliveriesOf: findRedeliveries,
    endpointOf: findEndpointId,
    previewRecovery,
    createRecovery,
    listRecoveries,
    getRecovery,
    cancelRecovery,
    summaries: findSummaries,
    newest: findNewest,
    statistics: readStatistics,
    histogram: readHistogram,
    list: listDeliveries,
    get: getDelivery,
  };
}

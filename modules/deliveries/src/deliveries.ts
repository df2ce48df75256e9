import type { AccountQueries, AccountReader, AccountWriter } from '@service/database';
import type { SecretBox } from '@service/secrets';
import { defaultQuota, readUsage, requireRoom, type Quota } from './account/quota.ts';
import {
  createEndpoint,
  deleteEndpoint,
  deleteEndpoints,
  findEndpoints,
  moveEndpoint,
  probe,
  revealSecret,
  rotateSecret,
  setEnabled,
  setHalted,
} from './endpoint/endpoints.ts';
import { readWaiting } from './endpoint/flush.ts';
import { sendWaiting, stopSending } from './endpoint/send-waiting.ts';
import { findNewest, findSummaries, getDelivery, type DeliveryKey } from './history/history.ts';
import { listDeliveries } from './history/list-deliveries.ts';
import { insertDrafts, type DeliveryDraft } from './queue/enqueue.ts';
import type { Wake } from './queue/wake.ts';
import {
  cancelRecovery,
  createRecovery,
  getRecovery,
  listRecoveries,
  previewRecovery,
} from './redelivery/recoveries.ts';
import { findEndpointId, findRedeliveries, redeliver } from './redelivery/redeliver.ts';
import type { Redelivery, RedeliveryInput, Refire } from './redelivery/redeliver.ts';
import type { FindJoinUrls } from './send/join-url.ts';
import { readHistogram } from './statistics/delivery-histogram.ts';
import { readDeliveryTrend } from './statistics/delivery-trend.ts';
import { readStatistics } from './statistics/endpoint-statistics.ts';

interface DeliveriesOptions {
  secretBox: SecretBox;
  /** Announces, after a commit, that something is due (`createWake`). */
  wake: Pick<Wake, 'afterCommitOf'>;
  /** Makes the body of a redelivery. */
  refire: Refire;
  findJoinUrls: FindJoinUrls;
  /** Seconds before each try, the same list as in the workers. A new delivery is due after the first wait. */
  retryScheduleSeconds: readonly number[];
  /** The limits of an account. */
  quota?: Quota | undefined;
}

/** The calls of other modules. The functions describe what they do and throw. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({
  secretBox,
  wake,
  refire,
  findJoinUrls,
  retryScheduleSeconds: scheduleSeconds,
  quota = defaultQuota,
}: DeliveriesOptions) {
  const enqueueOptions = { scheduleSeconds, quota };
  return {
    createEndpoint: (tx: AccountWriter, input: { url: string; enabled: boolean }) =>
      createEndpoint(tx, input, secretBox),
    moveEndpoint,
    rotateSecret: (tx: AccountWriter, endpointId: string) => rotateSecret(tx, endpointId, secretBox),
    setEnabled,
    setHalted,
    probe,
    deleteEndpoint,
    deleteEndpoints,
    revealSecret: (reader: AccountReader, endpointId: string) => revealSecret(reader, endpointId, secretBox),
    endpoints: findEndpoints,
    /**
     * Writes deliveries in the caller's transaction and wakes workers after its commit. Returns ids in the order of the drafts. Beyond a
     * limit of the account, or of an endpoint that has never answered, a delivery ends at once as a failure (`backlog_full`).
     */
    async enqueue(tx: AccountWriter, drafts: readonly DeliveryDraft[]): Promise<string[]> {
      if (drafts.length === 0) return [];
      const ids = insertDrafts(tx, drafts, enqueueOptions);
      wake.afterCommitOf(tx);
      return ids;
    },
    async redeliver(tx: AccountWriter, input: RedeliveryInput): Promise<Redelivery> {
      const redelivery = await redeliver(tx, input, { refire, ...enqueueOptions });
      wake.afterCommitOf(tx);
      return redelivery;
    },
    /** For calls that may be refused: never those of attendees. */
    requireRoom: (reader: AccountQueries) => requireRoom(reader, quota),
    usage: (reader: AccountQueries) => readUsage(reader, quota),
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
    trend: readDeliveryTrend,
    list: listDeliveries,
    get: (reader: AccountReader, key: DeliveryKey) => getDelivery(reader, key, findJoinUrls),
  };
}

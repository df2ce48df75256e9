export { deliveriesModule } from './module.ts';
export { createDeliveries, type Deliveries } from './deliveries.ts';
export {
  createDeliveryWorker,
  type DeliveryObserver,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from './delivery-worker.ts';
export { measureBacklog, type Backlog } from './queue/backlog.ts';
export { takeNotices, type Notice } from './endpoint/notices.ts';
export { retriesMaxDays } from './send/next-try.ts';
export type { FindJoinUrls } from './send/join-url.ts';
export { countFailedDeliveries, failuresCountedMax } from './statistics/count-failures.ts';
export { createWake } from './queue/wake.ts';
export { deliveryErrors } from './errors.ts';
export type { DeliveryDraft } from './queue/enqueue.ts';
export { CancelledDeliveriesOutput } from './endpoint/cancel-waiting.ts';
export type { EndpointSummary } from './endpoint/endpoints.ts';
export type { DeliveryPage } from './history/list-deliveries.ts';
export { recoverableStatus, RecoveryOutput, RecoveryPreviewOutput } from './redelivery/recovery.ts';
export { EndpointStatisticsOutput } from './statistics/endpoint-statistics.ts';
export { countQuarters } from './statistics/delivery-count.ts';
export { DeliveryHistogramOutput } from './statistics/delivery-histogram.ts';
export { DeliveryTrendOutput } from './statistics/delivery-trend.ts';
export { resumeAllDeliveries, stopAllDeliveries } from './account/suspended-accounts.ts';
export { defaultQuota, DeliveryUsageOutput, unansweredMax, type Quota } from './account/quota.ts';
export { sweepUsage } from './account/delivery-usage.ts';
export { WaitingOutput } from './endpoint/flush.ts';
export type { RecoveryRequest } from './redelivery/recoveries.ts';
export {
  DeliveryDetailOutput,
  DeliveryOutput,
  DeliverySummary,
  EndpointHealthOutput,
  statusFilter,
  type DeliveryDetail,
  type DeliveryStatus,
} from './schemas.ts';

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
export { resumeDeliveries, suspendDeliveries } from './suspend-deliveries.ts';
export { createWake } from './queue/wake.ts';
export { deliveryErrors } from './errors.ts';
export type { DeliveryDraft } from './queue/enqueue.ts';
export { CancelledDeliveriesOutput } from './endpoint/cancel-waiting.ts';
export type { EndpointSummary } from './endpoint/endpoints.ts';
export type { DeliveryPage } from './history/list-deliveries.ts';
export { statusFilter } from './schemas.ts';
export { recoverableStatus, RecoveryOutput, RecoveryPreviewOutput } from './redelivery/recovery.ts';
export { EndpointStatisticsOutput } from './statistics/endpoint-statistics.ts';
export { countQuarters } from './statistics/count-quarters.ts';
export { DeliveryHistogramOutput } from './statistics/delivery-histogram.ts';
export { defaultQuota, DeliveryUsageOutput, type Quota } from './usage/quota.ts';
export { unansweredMax } from './usage/full-endpoints.ts';
export { sweepUsage } from './usage/sweep-usage.ts';
export { WaitingOutput } from './flush/flush.ts';
export type { RecoveryRequest } from './redelivery/recoveries.ts';
export {
  DeliveryDetailOutput,
  DeliveryOutput,
  DeliverySummary,
  type DeliveryDetail,
  EndpointHealthOutput,
  type DeliveryStatus,
} from './schemas.ts';

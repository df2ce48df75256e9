import type { EntitySchema } from '@mikro-orm/postgresql';
import { Attempt } from './attempt.ts';
import { Delivery } from './delivery.ts';
import { Due } from './due.ts';
import { Endpoint } from './endpoint.ts';

export const deliveryEntities: EntitySchema[] = [Endpoint, Delivery, Attempt, Due];
export { deliveryMigrations, deliveryPartitionedTables } from './migrations/index.ts';
export { createDeliveries, type Deliveries } from './deliveries.ts';
export { createDeliveryTasks, type DeliveryTasks, type DeliveryTasksOptions } from './tasks.ts';
export { deliveryErrors } from './errors.ts';
export type { DeliveryDraft } from './enqueue.ts';
export type { EndpointSummary } from './endpoints.ts';
export type { DeliveryPage } from './list-deliveries.ts';
export {
  DeliveryDetailOutput,
  DeliveryOutput,
  deliveryStatuses,
  DeliverySummary,
  type DeliveryStatus,
} from './schemas.ts';

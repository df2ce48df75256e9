import type { AccountWriter, Database } from '@service/database';
import { defineModule } from '@service/module';
import { StoredDay, sweepUsage, Usage } from './account/delivery-usage.ts';
import { resume, suspend, SuspendedAccount } from './account/suspended-accounts.ts';
import { Body, Delivery } from './delivery.ts';
import { Due } from './due.ts';
import { Cancellation } from './endpoint/cancel-waiting.ts';
import { Endpoint, EndpointHealth } from './endpoint/endpoint.ts';
import { Flush } from './endpoint/flush.ts';
import { EndpointNotice } from './endpoint/notices.ts';
import { untilFormerIsUnused } from './endpoint/open-destinations.ts';
import { deliveryWork } from './delivery-worker.ts';
import { deliveryErrors } from './errors.ts';
import { eraseDeliveries } from './history/erase-deliveries.ts';
import { purgeDeliveries } from './history/purge-deliveries.ts';
import { deliveryMigrations, deliveryPartitionedTables } from './migrations/index.ts';
import { Recovery } from './redelivery/recovery.ts';
import { Attempt } from './send/attempt.ts';
import { Worker } from './send/liveness.ts';
import { DeliveryCount } from './statistics/delivery-count.ts';

/** The sender of workers is `createDeliveryWorker`. Other modules call `createDeliveries`. */
export const deliveriesModule = defineModule({
  name: 'deliveries',
  entities: [
    Endpoint,
    EndpointHealth,
    EndpointNotice,
    Delivery,
    Body,
    Attempt,
    Usage,
    StoredDay,
    DeliveryCount,
    Due,
    Worker,
    Recovery,
    Flush,
    Cancellation,
    SuspendedAccount,
  ],
  migrations: deliveryMigrations,
  sealed: [
    {
      table: 'deliveries.endpoint',
      column: 'sealed_secret',
      type: 'text',
      key: ['id', 'account_id'],
      context: ['id'],
    },
  ],
  partitions: deliveryPartitionedTables,
  errors: deliveryErrors,
  workConditions: deliveryWork,
  jobs: ({ database }: { database: Pick<Database, 'pool'> }) => ({
    crons: [
      { name: 'deliveries.sweep_usage', pattern: '43 * * * *', run: (now) => sweepUsage(database.pool, now) },
    ],
  }),
  subscribers: {
    suspension: { accountSuspended: suspendDeliveries, accountResumed: resumeDeliveries },
    erasure: () => eraseDeliveries,
    purge: purgeDeliveries,
  },
});

/**
 * Stops all sending for an account. No attempt begins after the commit has returned; attempts in flight end normally. Deliveries
 * that are queued now or later wait. Idempotent.
 */
async function suspendDeliveries({ query, afterCommit, accountId }: AccountWriter): Promise<void> {
  await query(suspend, [accountId]);
  afterCommit(untilFormerIsUnused);
}

/** Has workers send again: parked deliveries within seconds, retries when they are due. Idempotent. */
async function resumeDeliveries({ query, accountId }: AccountWriter): Promise<void> {
  await query(resume, [accountId]);
}

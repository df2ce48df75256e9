import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { Attempt } from './attempt/attempt.ts';
import { Cancellation } from './endpoint/cancel-waiting.ts';
import { EndpointHealth } from './endpoint/endpoint-health.ts';
import { Endpoint } from './endpoint/endpoint.ts';
import { EndpointNotice } from './endpoint/notices.ts';
import { deliveryErrors } from './errors.ts';
import { Body } from './history/body.ts';
import { Delivery } from './history/delivery.ts';
import { deliveryMigrations, deliveryPartitionedTables } from './migrations/index.ts';
import { Flush } from './flush/flush.ts';
import { Due } from './queue/due.ts';
import { Recovery } from './redelivery/recovery.ts';
import { Worker } from './sender/liveness.ts';
import { resumeDeliveries, suspendDeliveries } from './suspend-deliveries.ts';
import { DeliveryCount } from './statistics/delivery-count.ts';
import { SuspendedAccount } from './suspension/suspended-accounts.ts';
import { sweepUsage } from './usage/sweep-usage.ts';
import { StoredDay, Usage } from './usage/delivery-usage.ts';

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
  jobs: ({ database }: { database: Pick<Database, 'pool'> }) => ({
    crons: [
      { name: 'deliveries.sweep_usage', pattern: '43 * * * *', run: (now) => sweepUsage(database.pool, now) },
    ],
  }),
  subscribers: { suspension: { accountSuspended: suspendDeliveries, accountResumed: resumeDeliveries } },
});

import type { ChangeAnnouncer } from '@service/changes';
import type { Database } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { defineModule } from '@service/module';
import { createAutomationsRouter } from './automations-router.ts';
import type { CheckUrl, DestinationPolicy } from './endpoint/require-destination.ts';
import { automationEntities } from './entities.ts';
import { automationErrors } from './errors.ts';
import { createEventSubscriber } from './create-event-subscriber.ts';
import { automationMigrations, automationPartitionedTables } from './migrations/index.ts';
import { createDeliveriesRouter, createEndpointsRouter } from './endpoint/router.ts';
import { eraseExecutions } from './execution/record-executions.ts';
import { createWebhooksRouter } from './subscription/router.ts';
import { fireDueTimers, hasDueTimer } from './timer/fire-timers.ts';

interface ApiParts {
  deliveries: Deliveries;
  checkUrl: CheckUrl;
  destinationPolicy: DestinationPolicy;
}

interface WorkerParts {
  database: Database;
  changes: Pick<ChangeAnnouncer, 'announce'>;
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax: number;
}

export const automationsModule = defineModule({
  name: 'automations',
  entities: automationEntities,
  migrations: automationMigrations,
  partitions: automationPartitionedTables,
  errors: automationErrors,
  router: ({ deliveries, checkUrl, destinationPolicy }: ApiParts) => ({
    webhooks: createWebhooksRouter({ deliveries, checkUrl }),
    automations: createAutomationsRouter({ deliveries, checkUrl, destinationPolicy }),
    deliveries: createDeliveriesRouter(deliveries),
    endpoints: createEndpointsRouter(deliveries),
  }),
  subscribers: { events: createEventSubscriber, erasure: () => eraseExecutions },
  repeats: ({ database, deliveries, mailBacklogMax, changes }: WorkerParts) => [
    {
      name: 'automation_timers',
      everyMs: 1000,
      async run(now, { log, signal, onFailure }) {
        try {
          const onFired = (accountId: string): void => changes.announce(accountId, 'executions');
          const { fired } = await fireDueTimers(database, {
            now,
            deliveries,
            mailBacklogMax,
            onFired,
            signal,
          });
          if (fired > 0) log.debug({ fired }, 'Automation timers came due');
        } catch (error) {
          // Some timers failed and the others fired. The next round need not wait for the failed ones.
          if (!(error instanceof AggregateError)) throw error;
          for (const failure of error.errors) onFailure(failure);
        }
      },
    },
  ],
  workConditions: { automation_timers: hasDueTimer },
});

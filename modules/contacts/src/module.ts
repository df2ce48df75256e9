import { findMarketingProviders, type Connections } from '@service/connections';
import type { AccountWriter, Database } from '@service/database';
import { defineModule } from '@service/module';
import { createContactsRouter, type ContactsRouterParts } from './api/router.ts';
import { contactEntities } from './entities.ts';
import { eraseContact } from './erasure/erase-contact.ts';
import { contactErrors } from './errors.ts';
import { contactsMigrations, contactsPartitionedTables } from './migrations/index.ts';
import { expireChanges, hasParkedChange, releaseParkedChanges } from './send/parked-changes.ts';
import { deleteOldImportJobs } from './send/import-jobs.ts';
import { hasWaitingChange, setSuspended } from './send/connection-lanes.ts';
import { continueRuns, hasDueRun } from './runs/runs.ts';
import { createSyncSubscriber } from './sync/sync-subscriber.ts';

interface WorkerParts {
  database: Pick<Database, 'query' | 'transaction'>;
  connections: Connections;
}

export const contactsModule = defineModule({
  name: 'contacts',
  entities: contactEntities,
  migrations: contactsMigrations,
  partitions: contactsPartitionedTables,
  errors: contactErrors,
  router: ({ connections, readRevenue, readSuppressed }: ContactsRouterParts) => ({
    contacts: createContactsRouter({ connections, readRevenue, readSuppressed }),
  }),
  subscribers: {
    events: createSyncSubscriber,
    erasure: () => eraseContact,
    suspension: {
      accountSuspended: async (tx: AccountWriter) =>
        setSuspended(tx, [...(await findMarketingProviders(tx)).keys()], true),
      accountResumed: async (tx: AccountWriter) =>
        setSuspended(tx, [...(await findMarketingProviders(tx)).keys()], false),
    },
  },
  repeats: ({ database, connections }: WorkerParts) => [
    {
      name: 'parked_changes',
      everyMs: 5000,
      run: (now) => releaseParkedChanges(database, connections.marketing, now),
    },
    {
      name: 'contact_runs',
      everyMs: 1000,
      run: (now, { signal, onFailure }) =>
        continueRuns(database, connections.marketing, { now, signal, onFailure }),
    },
  ],
  workConditions: {
    contact_runs: hasDueRun,
    due_contact_changes: hasWaitingChange,
    parked_changes: hasParkedChange,
  },
  jobs: ({ database }: WorkerParts) => ({
    crons: [
      {
        name: 'contacts.expire_changes',
        pattern: '41 * * * *',
        async run(now) {
          await expireChanges(database, now);
          await deleteOldImportJobs(database.query, now);
        },
      },
    ],
  }),
});

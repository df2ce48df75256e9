import type { EventSubscriber } from '@service/attendees';
import type { ChangeAnnouncer } from '@service/changes';
import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import { advanceRuns } from './attribution/advance-runs.ts';
import { CreditRun, startCreditRun } from './attribution/credit-run.ts';
import { CreditRetry, retryCredits } from './attribution/retry.ts';
import { revenueWindowRouter } from './attribution/router.ts';
import { RevenueSetting } from './attribution/windows.ts';
import { revenueErrors } from './errors.ts';
import { ledgerEntities } from './ledger/ledger-entities.ts';
import { revenueMigrations } from './migrations/index.ts';
import { createExportDoor, type ExportParts } from './report/export/export-door.ts';
import { revenueRouter } from './report/router.ts';

interface WorkerParts {
  database: Database;
  subscriber: EventSubscriber;
  changes: Pick<ChangeAnnouncer, 'announce'>;
}

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [...ledgerEntities, RevenueSetting, CreditRun, CreditRetry],
  migrations: revenueMigrations,
  errors: revenueErrors,
  router: () => ({ revenue: revenueRouter, revenueWindow: revenueWindowRouter }),
  http: (parts: ExportParts) => createExportDoor(parts),
  subscribers: { windows: { onWindowChanged: startCreditRun } },
  repeats: ({ database, subscriber, changes }: WorkerParts) => [
    {
      name: 'revenue_credits',
      everyMs: 1000,
      async run(now, { signal, onFailure }) {
        const onChanged = (accountId: string): void => changes.announce(accountId, 'revenue');
        await retryCredits(database, { now, subscriber, onChanged, onFailure, signal });
        await advanceRuns(database, { onChanged, onFailure, signal });
      },
    },
  ],
});

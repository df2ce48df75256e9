import type { Database } from '@service/database';
import { defineModule } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { revenueErrors } from './errors.ts';
import { createRevenueDoor, type DoorParts } from './intake/receive/door.ts';
import type { RevenueIntake } from './intake/receive/intake.ts';
import { deleteOldRefused } from './intake/refused/keep-refused.ts';
import { RefusedEvent } from './intake/refused/refused-event.ts';
import { revenueSourceCommand } from './intake/revenue-source-command.ts';
import { createSourcesRouter } from './intake/router.ts';
import { RevenueSource, SourceDay, SuspendedAccount } from './intake/source/entities.ts';
import { resumeSources, suspendSources } from './intake/source/suspended-account.ts';
import { ledgerEntities } from './ledger/ledger-entities.ts';
import { revenueMigrations } from './migrations/index.ts';

interface RouterParts {
  revenueIntake: RevenueIntake;
  secretBox: SecretBox;
}

export const revenueModule = defineModule({
  name: 'revenue',
  entities: [...ledgerEntities, RevenueSource, SourceDay, SuspendedAccount, RefusedEvent],
  migrations: revenueMigrations,
  errors: revenueErrors,
  router: ({ revenueIntake, secretBox }: RouterParts) => ({
    revenueSources: createSourcesRouter({ revenueIntake, secretBox }),
  }),
  http: ({ revenueIntake, docsUrl, log }: DoorParts) => createRevenueDoor({ revenueIntake, docsUrl, log }),
  subscribers: { suspension: { accountSuspended: suspendSources, accountResumed: resumeSources } },
  jobs: ({ database }: { database: Pick<Database, 'query'> }) => ({
    crons: [
      {
        name: 'revenue.delete_old_refused_events',
        pattern: '23 * * * *',
        async run(now, { log }) {
          const deleted = await deleteOldRefused(database.query, now);
          log.info({ deleted }, 'Old refused revenue events are deleted');
        },
      },
    ],
  }),
  commands: { 'revenue-source': revenueSourceCommand },
});

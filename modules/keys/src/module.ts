import type { AccountWriter } from '@service/database';
import { defineModule } from '@service/module';
import { keyCommands } from './commands.ts';
import { keyEntities } from './entities.ts';
import { keyMigrations } from './migrations/index.ts';
import { keysRouter } from './router.ts';
import { resumeKeys, suspendKeys } from './suspended-account.ts';

export const keysModule = defineModule({
  name: 'keys',
  entities: keyEntities,
  migrations: keyMigrations,
  router: () => ({ keys: keysRouter }),
  subscribers: {
    suspension: {
      accountSuspended: (tx: AccountWriter) => suspendKeys(tx, tx.accountId),
      accountResumed: (tx: AccountWriter) => resumeKeys(tx, tx.accountId),
    },
  },
  commands: keyCommands,
});

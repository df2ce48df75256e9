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
  subscribers: { suspension: { accountSuspended: suspendKeys, accountResumed: resumeKeys } },
  commands: keyCommands,
});

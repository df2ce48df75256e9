import { defineModule } from '@service/module';
import { keyCommands } from './commands.ts';
import { keyEntities } from './entities.ts';
import { keyMigrations } from './migrations/index.ts';
import type { RateLimit } from './admit.ts';
import { createKeysRouter } from './router.ts';
import { resumeKeys, suspendKeys } from './suspended-account.ts';

export const keysModule = defineModule({
  name: 'keys',
  entities: keyEntities,
  migrations: keyMigrations,
  router: ({ rateLimit }: { rateLimit: RateLimit }) => ({ keys: createKeysRouter(rateLimit) }),
  subscribers: { suspension: { accountSuspended: suspendKeys, accountResumed: resumeKeys } },
  commands: keyCommands,
});

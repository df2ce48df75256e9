import { defineModule } from '@service/module';
import type { Database } from '@service/database';
import { AccessToken, deleteExpiredTokens } from './access-token.ts';
import { keyCommands } from './key-commands.ts';
import { keyEntities } from './entities.ts';
import { keyMigrations } from './migrations/index.ts';
import { createKeysRouter, type KeysRouterParts } from './router.ts';
import { resumeKeys, revokeKeysOfMember, suspendKeys } from './api-keys.ts';

export const keysModule = defineModule({
  name: 'keys',
  entities: [...keyEntities, AccessToken],
  migrations: keyMigrations,
  router: (parts: KeysRouterParts) => ({ keys: createKeysRouter(parts) }),
  subscribers: {
    suspension: { accountSuspended: suspendKeys, accountResumed: resumeKeys },
    membership: { memberRemoved: revokeKeysOfMember },
  },
  jobs: ({ database }: { database: Pick<Database, 'query'> }) => ({
    crons: [
      {
        name: 'keys.delete_expired_tokens',
        pattern: '41 * * * *',
        async run(now, { log }) {
          const deleted = await deleteExpiredTokens(database.query, now);
          log.info({ deleted }, 'Expired access tokens are deleted');
        },
      },
    ],
  }),
  commands: keyCommands,
});

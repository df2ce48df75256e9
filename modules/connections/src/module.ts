import { defineModule } from '@service/module';
import { Connection, ConnectionChange } from './connection/connection.ts';
import { connectionCommand } from './connection-command.ts';
import { connectionErrors } from './errors.ts';
import type { Connections } from './mail/mail-connections.ts';
import { connectionMigrations } from './migrations/index.ts';
import { createConnectionsRouter } from './router.ts';

export const connectionsModule = defineModule({
  name: 'connections',
  entities: [Connection, ConnectionChange],
  migrations: connectionMigrations,
  sealed: [
    {
      table: 'connections.connection',
      column: 'sealed_credential',
      type: 'text',
      key: ['account_id', 'id'],
      context: ['id', 'credential_version'],
    },
  ],
  errors: connectionErrors,
  router: ({ connections }: { connections: Connections }) => ({
    connections: createConnectionsRouter({ connections }),
  }),
  commands: { connection: connectionCommand },
});

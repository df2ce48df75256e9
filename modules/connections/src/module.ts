import { createOldRowsDeleter, type Database } from '@service/database';
import { defineModule } from '@service/module';
import { Connection, ConnectionChange } from './connection/connection.ts';
import { connectionCommand } from './connection-command.ts';
import { connectionErrors } from './errors.ts';
import { connectionMigrations } from './migrations/index.ts';
import { eraseReasonsOf } from './outcome/record-outcome.ts';
import { createConnectionsRouter, type ConnectionsRouterParts } from './router.ts';

const changesKeptDays = 400;

const deleteOldChanges = createOldRowsDeleter({ table: 'connections.connection_change', time: 'at' });

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
    {
      table: 'connections.connection',
      column: 'sealed_report_secret',
      type: 'text',
      key: ['account_id', 'id'],
      context: ['report_secret_version', 'id'],
    },
  ],
  errors: connectionErrors,
  subscribers: { erasure: () => eraseReasonsOf },
  router: (parts: ConnectionsRouterParts) => ({ connections: createConnectionsRouter(parts) }),
  jobs: ({ database }: { database: Pick<Database, 'query'> }) => ({
    crons: [
      {
        name: 'connections.delete_old_changes',
        pattern: '37 3 * * *',
        async run(now, { log }) {
          const before = new Date(now.getTime() - changesKeptDays * 86_400_000);
          const deleted = await deleteOldChanges(database.query, { before });
          log.info({ deleted }, 'Old changes of connections are deleted');
        },
      },
    ],
  }),
  commands: { connection: connectionCommand },
});

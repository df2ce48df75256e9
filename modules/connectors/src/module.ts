import type { AccountWriter, Database } from '@service/database';
import { defineModule } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { createAddresses } from './addresses.ts';
import { Client } from './client/entities.ts';
import { deleteExpiredClients } from './client/registered-clients.ts';
import { connectorCommands } from './connector-commands.ts';
import { deleteExpiredGrants, endGrantsOfMember } from './grant/end-grants.ts';
import { Grant } from './grant/entities.ts';
import { createConnectorsDoor, type DoorParts } from './http/connectors-door.ts';
import { connectorMigrations } from './migrations/index.ts';
import { createConnectorsRouter } from './router.ts';

interface RouterParts {
  baseUrl: string;
  secretBox: SecretBox;
  accounts: { isMember: (tx: AccountWriter, userId: string) => Promise<boolean> };
}

export const connectorsModule = defineModule({
  name: 'connectors',
  entities: [Client, Grant],
  migrations: connectorMigrations,
  router: ({ baseUrl, secretBox, accounts }: RouterParts) =>
    createConnectorsRouter({ secretBox, addresses: createAddresses(baseUrl), isMember: accounts.isMember }),
  http: (parts: DoorParts) => createConnectorsDoor(parts),
  subscribers: { membership: { memberRemoved: endGrantsOfMember } },
  jobs: ({ database }: { database: Pick<Database, 'query'> }) => ({
    crons: [
      {
        name: 'connectors.delete_expired_clients',
        pattern: '17 * * * *',
        async run(now, { log }) {
          const deleted = await deleteExpiredClients(database.query, now);
          log.info({ deleted }, 'Expired registrations of clients are deleted');
        },
      },
      {
        name: 'connectors.delete_expired_grants',
        pattern: '37 * * * *',
        async run(now, { log }) {
          const deleted = await deleteExpiredGrants(database.query, now);
          log.info({ deleted }, 'Expired grants are deleted');
        },
      },
    ],
  }),
  commands: connectorCommands,
});

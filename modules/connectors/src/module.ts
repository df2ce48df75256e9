import type { AccountWriter, Database } from '@service/database';
import { defineModule, readId, type AccountCommandParts, type Command } from '@service/module';
import type { SecretBox } from '@service/secrets';
import { createAddresses } from './addresses.ts';
import { Client, deleteExpiredClients } from './client/registered-clients.ts';
import { connectorErrors } from './errors.ts';
import { deleteExpiredGrants, endGrantsOfMember, findGrantAccount, revokeGrant } from './grant/end-grants.ts';
import { Grant } from './grant/grant.ts';
import { createConnectorsDoor, type DoorParts } from './http/connectors-door.ts';
import { connectorMigrations } from './migrations/index.ts';
import { createConnectorsRouter } from './router.ts';

interface RouterParts {
  baseUrl: string;
  secretBox: SecretBox;
  accounts: { isMember: (tx: AccountWriter, userId: string) => Promise<boolean> };
}

/** Commands of operators. */
const connectorCommands: Record<string, Command<AccountCommandParts>> = {
  'revoke-grant': {
    summary: 'Disconnects an AI client from a workspace. Prints {id}.',
    options: { id: { type: 'text', hint: 'GRANT_ID', required: true } },
    async run({ database, write }, values) {
      const id = readId(values, 'id');
      const accountId = await findGrantAccount(database.query, id);
      if (!accountId) throw connectorErrors.grant_not_found();
      await write(accountId, (tx) => revokeGrant(tx, { id, memberId: undefined }));
      return { id };
    },
  },
};

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

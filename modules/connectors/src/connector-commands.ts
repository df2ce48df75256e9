import { readId, type AccountCommandParts, type Command } from '@service/module';
import { connectorErrors } from './errors.ts';
import { findGrantAccount, revokeGrant } from './grant/end-grants.ts';

/** Commands of operators. */
export const connectorCommands: Record<string, Command<AccountCommandParts>> = {
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

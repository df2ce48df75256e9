import { statement } from '@service/database';
import type { ErasePerson } from '@service/module';

// A workspace has ten connections at most. $2: the address.
const eraseReasons = statement({
  name: 'connections.erase_reasons',
  text: `
    update connections.connection set reason = 'The reason named a person who was erased.'
    where account_id = $1 and position($2 in lower(reason)) > 0`,
});

/** Reasons are words of a provider, which may name a recipient. */
export const eraseReasonsOf: ErasePerson = async ({ query, accountId }, { email }) => {
  await query(eraseReasons, [accountId, email]);
  return null;
};

// `npm run admin -- after-restore`: for a database that was restored to an earlier time. What was ended since then works again, and what
// was sent since then waits again, so access is ended and sending is held. docs/backup.md has the whole order of steps.
import { endAllSignIns, findSuspendedAccounts } from '@service/accounts';
import { endAllGrants } from '@service/connectors';
import type { Database } from '@service/database';
import { holdDeliveries, releaseDeliveries } from '@service/deliveries';
import { revokeAllKeys } from '@service/keys';
import { holdMails, releaseMails } from '@service/mails';
import type { Command } from '@service/module';

interface RestoreParts {
  database: Pick<Database, 'transaction'>;
}

export const afterRestore: Command<RestoreParts> = {
  summary:
    'After a restore, before workers start: signs everyone out, ends links in mails and grants of AI clients, revokes all API keys (--keys revoke) or leaves them (--keys keep), and holds all webhooks and mails. Once you have checked what waits, --release sends them. Prints the counts.',
  options: { keys: { type: 'text', hint: 'revoke|keep' }, release: { type: 'flag' } },
  async run({ database }, { keys, release }) {
    if (release === true && keys === undefined)
      return database.transaction(async ({ query }) => {
        const suspended = await findSuspendedAccounts(query);
        return {
          accountsWithReleasedWebhooks: await releaseDeliveries(query, suspended),
          accountsWithReleasedMails: await releaseMails(query, suspended),
        };
      });
    if (release === true || (keys !== 'revoke' && keys !== 'keep'))
      throw new Error(
        'Give either --release, or --keys revoke, or --keys keep if no API key was revoked since the time of the restore.',
      );
    return database.transaction(async ({ query }) => ({
      accountsWithHeldWebhooks: await holdDeliveries(query),
      accountsWithHeldMails: await holdMails(query),
      endedSessions: await endAllSignIns(query),
      endedGrants: await endAllGrants(query),
      revokedKeys: keys === 'revoke' ? await revokeAllKeys(query) : 0,
    }));
  },
};

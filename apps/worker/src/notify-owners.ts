import { findOwnerAddresses } from '@service/accounts';
import { findEndpointOwner } from '@service/automations';
import type { Database, Transaction } from '@service/database';
import { takeNotices, type Notice } from '@service/deliveries';
import type { Jobs } from '@service/jobs';
import { composeNotices, type OwnedNotice } from './notice-mail.ts';
import { sendMailJob } from './send-mail.ts';
import type { TimedTask } from './timed-task.ts';

interface TellOwnersOptions {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  /** Where people open the dashboard, without a trailing slash. Undefined: nobody gets mail. */
  dashboardUrl: string | undefined;
}

const noticesMax = 100;
const mailHours = 1;

/**
 * Once a minute: what happened to endpoints becomes mails to the owners of their workspaces, one to each for all of it. Taking
 * the notices and queueing the mails is one transaction, so that a crash loses none. Without mail they count as told: the
 * dashboard shows how endpoints fare.
 */
export const notifyOwners = ({ database, jobs, dashboardUrl }: TellOwnersOptions): TimedTask => ({
  name: 'worker.tell_owners',
  pattern: '* * * * *',
  async run(now, { log }) {
    const counts = await database.transaction(async (tx) => {
      const notices = await takeNotices(tx, { limit: noticesMax, now });
      let mails = 0;
      if (dashboardUrl === undefined) return { notices: notices.length, mails };
      for (const [accountId, own] of Map.groupBy(notices, (notice) => notice.accountId))
        mails += await tellAccount({ ...tx, accountId, now, jobs, dashboardUrl }, own);
      return { notices: notices.length, mails };
    });
    if (counts.notices > 0) log.info(counts, 'Owners are told how their endpoints fare');
  },
});

interface AccountWork extends Pick<Transaction, 'em' | 'query'> {
  accountId: string;
  now: Date;
  jobs: Pick<Jobs, 'enqueue'>;
  dashboardUrl: string;
}

/** Queues the mails of one account; returns how many. */
async function tellAccount(work: AccountWork, notices: readonly Notice[]): Promise<number> {
  const { accountId, now, jobs, dashboardUrl } = work;
  const owned = await findWhatTheyBelongTo(work, notices);
  if (owned.length === 0) return 0;
  const mail = composeNotices(owned, { workspaceUrl: `${dashboardUrl}/w/${accountId}` });
  const until = new Date(now.getTime() + mailHours * 3_600_000).toISOString();
  const addresses = await findOwnerAddresses(work);
  for (const to of addresses) await jobs.enqueue(work, sendMailJob, { to, ...mail, until });
  return addresses.length;
}

/** Leaves out what belongs to nothing any more: whoever removed it need not hear of it. */
async function findWhatTheyBelongTo(work: AccountWork, notices: readonly Notice[]): Promise<OwnedNotice[]> {
  const owned: OwnedNotice[] = [];
  for (const notice of notices) {
    const owner = await findEndpointOwner(work, notice.endpointId);
    if (owner) owned.push({ ...notice, owner });
  }
  return owned;
}

import { findNotifiedAddresses } from '@service/accounts';
import { findEndpointOwner } from '@service/automations';
import type { Database, Transaction } from '@service/database';
import { takeNotices, type Notice } from '@service/deliveries';
import type { Jobs } from '@service/jobs';
import { sendMailJob } from '@service/mails';
import type { ScheduledTask } from '@service/module';
import { composeNotices, type OwnedNotice } from './notice-mail.ts';

interface NotifyOwnersOptions {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  /** The URL of the dashboard, without a trailing slash. Undefined: no mail is sent. */
  dashboardUrl: string | undefined;
}

const noticesMax = 100;
const mailHours = 1;

/**
 * Once a minute: mails the notices about endpoints to the members who want them, owners by default, one mail to each for all notices. The
 * notices are taken and the mails are queued in one transaction, so that a crash loses none. Without mail the notices are only
 * marked as taken: the dashboard shows the health of endpoints.
 */
export const notifyOwners = ({ database, jobs, dashboardUrl }: NotifyOwnersOptions): ScheduledTask => ({
  name: 'worker.tell_owners',
  pattern: '* * * * *',
  async run(now, { log }) {
    const counts = await database.transaction(async (tx) => {
      const notices = await takeNotices(tx, { limit: noticesMax, now });
      let mails = 0;
      if (dashboardUrl === undefined) return { notices: notices.length, mails };
      for (const [accountId, own] of Map.groupBy(notices, (notice) => notice.accountId))
        mails += await notifyAccount({ ...tx, accountId, now, jobs, dashboardUrl }, own);
      return { notices: notices.length, mails };
    });
    if (counts.notices > 0) log.info(counts, 'Owners are notified of the health of their endpoints');
  },
});

interface AccountWork extends Pick<Transaction, 'em' | 'query'> {
  accountId: string;
  now: Date;
  jobs: Pick<Jobs, 'enqueue'>;
  dashboardUrl: string;
}

/** Queues the mails of one account; returns how many. */
async function notifyAccount(work: AccountWork, notices: readonly Notice[]): Promise<number> {
  const { accountId, now, jobs, dashboardUrl } = work;
  const owned = await findOwned(work, notices);
  if (owned.length === 0) return 0;
  const mail = composeNotices(owned, { workspaceUrl: `${dashboardUrl}/w/${accountId}` });
  const until = new Date(now.getTime() + mailHours * 3_600_000).toISOString();
  const addresses = await findNotifiedAddresses(work, 'stopped');
  for (const to of addresses) await jobs.enqueue(work, sendMailJob, { to, ...mail, until });
  return addresses.length;
}

/** The notices whose endpoint still belongs to a rule or a subscription. */
async function findOwned(work: AccountWork, notices: readonly Notice[]): Promise<OwnedNotice[]> {
  const owned: OwnedNotice[] = [];
  for (const notice of notices) {
    const owner = await findEndpointOwner(work, notice.endpointId);
    if (owner) owned.push({ ...notice, owner });
  }
  return owned;
}

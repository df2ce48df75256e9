import { findNotifiedAccounts, takeRecipients } from '@service/accounts';
import type { Database } from '@service/database';
import { countFailedDeliveries, failuresCountedMax, retriesMaxDays } from '@service/deliveries';
import type { Jobs } from '@service/jobs';
import { sendMailJob } from '@service/mails';
import type { ScheduledTask } from '@service/module';

interface NotifyOptions {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  /** The URL of the dashboard, without a trailing slash. Undefined: no mail is sent. */
  dashboardUrl: string | undefined;
  retryScheduleSeconds: readonly number[];
}

const dayMs = 86_400_000;

/**
 * Once a day: mails the number of deliveries that failed for good to members who want it. It is about the last day whose retries have all ended:
 * with the default schedule the fifth day before. One that waits longer, for a paused endpoint or after answers of 429, is not counted: there
 * was a mail about a pause.
 */
export const notifyOfFailures = ({
  database,
  jobs,
  dashboardUrl,
  retryScheduleSeconds,
}: NotifyOptions): ScheduledTask => ({
  name: 'worker.notify_of_failures',
  pattern: '0 6 * * *',
  async run(now, { log }) {
    if (dashboardUrl === undefined) return;
    const days = retriesMaxDays(retryScheduleSeconds);
    const to = new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
    const from = new Date(to.getTime() - dayMs);
    let mails = 0;
    for (let after = ''; ;) {
      const accountIds = await findNotifiedAccounts(database.query, { kind: 'failed', until: to }, after);
      if (accountIds.length === 0) break;
      after = accountIds.at(-1)!;
      for (const accountId of accountIds) {
        const failed = await countFailedDeliveries({ query: database.query, accountId }, { from, to });
        if (failed === 0) continue;
        const mail = composeFailures(failed, { from, workspaceUrl: `${dashboardUrl}/w/${accountId}` });
        const until = new Date(now.getTime() + dayMs).toISOString();
        mails += await database.transaction(async (tx) => {
          const addresses = await takeRecipients(
            { query: tx.query, accountId },
            { kind: 'failed', until: to },
          );
          for (const address of addresses)
            await jobs.enqueue(tx, sendMailJob, { to: address, ...mail, until });
          return addresses.length;
        });
      }
    }
    log.info({ mails }, 'Members are notified of deliveries that failed for good');
  },
});

function composeFailures(
  failed: number,
  { from, workspaceUrl }: { from: Date; workspaceUrl: string },
): { subject: string; text: string } {
  const count = failed >= failuresCountedMax ? `${failuresCountedMax} or more` : String(failed);
  const webhooks = failed === 1 ? '1 webhook' : `${count} webhooks`;
  const parts = [
    'Hello,',
    `${webhooks} of ${from.toISOString().slice(0, 10)} (UTC) could not be delivered, and will not be tried again.`,
    `You can see why, and send them again:\n${workspaceUrl}/webhooks`,
    `You can switch this mail off under ${workspaceUrl}/settings/account`,
  ];
  return { subject: `${webhooks} failed for good`, text: `${parts.join('\n\n')}\n` };
}

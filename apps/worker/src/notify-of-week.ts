import { findNotifiedAccounts, findTimeZone, findWorkspaceNames, takeRecipients } from '@service/accounts';
import { countRegistrationsBetween } from '@service/attendees';
import type { AccountReader, Database } from '@service/database';
import { countFailedDeliveries, failuresCountedMax, retriesMaxDays } from '@service/deliveries';
import type { Jobs } from '@service/jobs';
import { sendMailJob } from '@service/mails';
import type { ScheduledTask } from '@service/module';
import { readNet } from '@service/revenue';
import { listNearby } from '@service/webinars';
import { composeWeek, daysBefore, findLastWeek, isQuiet, type Span, type WeekNumbers } from './week-mail.ts';

interface NotifyOptions {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  /** The URL of the dashboard, without a trailing slash. Undefined: no mail is sent. */
  dashboardUrl: string | undefined;
  retryScheduleSeconds: readonly number[];
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/**
 * Each quarter of an hour, because zones differ by quarters: mails the numbers of last week to members who want them, where it is Monday
 * 08:00. Failed deliveries are those of the last seven days whose retries have all ended: with the default schedule they begin five days earlier
 * than the week. A workspace in which nothing happened gets no mail. A failure of one workspace does not keep the mails of others.
 */
export const notifyOfWeek = ({
  database,
  jobs,
  dashboardUrl,
  retryScheduleSeconds,
}: NotifyOptions): ScheduledTask => ({
  name: 'worker.notify_of_week',
  pattern: '*/15 * * * *',
  async run(now, { log }) {
    if (dashboardUrl === undefined) return;
    // The last mail was about the time up to a Monday. Its workspace is found again a week later.
    const due = { kind: 'weekly', until: new Date(now.getTime() - weekMs) } as const;
    let mails = 0;
    for (let after = ''; ;) {
      const accountIds = await findNotifiedAccounts(database.query, due, after);
      if (accountIds.length === 0) break;
      after = accountIds.at(-1)!;
      for (const accountId of accountIds) {
        try {
          mails += await notifyAccount(accountId, {
            database,
            jobs,
            dashboardUrl,
            retryScheduleSeconds,
            now,
          });
        } catch (error) {
          log.error({ err: error, accountId }, 'The weekly mail of a workspace could not be queued');
        }
      }
    }
    if (mails > 0) log.info({ mails }, 'Members are notified of the numbers of last week');
  },
});

interface AccountWork extends NotifyOptions {
  dashboardUrl: string;
  now: Date;
}

/** Queues the mails of one account; returns how many. */
async function notifyAccount(
  accountId: string,
  { database, jobs, dashboardUrl, retryScheduleSeconds, now }: AccountWork,
): Promise<number> {
  const { query } = database;
  const timeZone = await findTimeZone({ query, accountId });
  const weeks = findLastWeek(timeZone, now);
  if (!weeks) return 0;
  const days = retriesMaxDays(retryScheduleSeconds);
  const [failedSpan, failedSpanBefore] = [weeks.week, weeks.before].map((span) =>
    daysBefore(timeZone, span, days),
  ) as [Span, Span];
  const reader = { em: database.fork(), query, accountId, now };
  const [numbers, before, { upcoming }, names] = await Promise.all([
    readNumbers(reader, { span: weeks.week, failedSpan }),
    readNumbers(reader, { span: weeks.before, failedSpan: failedSpanBefore }),
    listNearby(reader),
    findWorkspaceNames(query, [accountId]),
  ]);
  const mail = composeWeek({
    name: names.get(accountId) ?? '',
    timeZone,
    week: weeks.week,
    numbers,
    before,
    failedSpan,
    countedMax: failuresCountedMax,
    sessions: upcoming,
    workspaceUrl: `${dashboardUrl}/w/${accountId}`,
  });
  const until = new Date(now.getTime() + dayMs).toISOString();
  return database.transaction(async (tx) => {
    // Also of a quiet week, so that it is counted once.
    const addresses = await takeRecipients(
      { query: tx.query, accountId },
      { kind: 'weekly', until: weeks.week.to },
    );
    if (isQuiet(numbers)) return 0;
    for (const to of addresses) await jobs.enqueue(tx, sendMailJob, { to, ...mail, isHtml: true, until });
    return addresses.length;
  });
}

async function readNumbers(
  reader: AccountReader,
  { span, failedSpan }: { span: Span; failedSpan: Span },
): Promise<WeekNumbers> {
  const [counted, failed, revenue] = await Promise.all([
    countRegistrationsBetween(reader, span),
    countFailedDeliveries(reader, failedSpan),
    readNet(reader, span),
  ]);
  return {
    ...counted,
    failed,
    revenue: new Map(revenue.map(({ currency, netMinor }) => [currency, netMinor])),
  };
}

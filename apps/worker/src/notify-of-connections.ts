// The mails about a connection that fails, is disconnected or needs attention. They leave through the installation's own mail server.
import { findNotifiedAddresses } from '@service/accounts';
import { takeConnectionNotices, type ConnectionNotice } from '@service/connections';
import { countWaitingChanges } from '@service/contacts';
import type { Database, Transaction } from '@service/database';
import type { Jobs } from '@service/jobs';
import { sendMailJob } from '@service/mails';
import type { ScheduledTask } from '@service/module';
import { momentOf, oneLine } from './notice-mail.ts';

interface NotifyOptions {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  /** The URL of the dashboard, without a trailing slash. Undefined: no mail is sent. */
  dashboardUrl: string | undefined;
}

const noticesMax = 100;
const mailHours = 1;

/** Once a minute. Notices are taken and mails are queued in one transaction, so that a crash loses none. */
export const notifyOfConnections = ({ database, jobs, dashboardUrl }: NotifyOptions): ScheduledTask => ({
  name: 'worker.notify_of_connections',
  pattern: '* * * * *',
  async run(now, { log }) {
    const counts = await database.transaction(async (tx) => {
      const notices = await takeConnectionNotices(tx, { limit: noticesMax, now });
      let mails = 0;
      if (dashboardUrl === undefined) return { notices: notices.length, mails };
      const until = new Date(now.getTime() + mailHours * 3_600_000).toISOString();
      for (const notice of notices) {
        const mail = composeConnectionNotice(notice, await countPeople(tx, notice), dashboardUrl);
        for (const to of await findRecipients(tx, notice)) {
          await jobs.enqueue(tx, sendMailJob, { to, ...mail, until });
          mails += 1;
        }
      }
      return { notices: notices.length, mails };
    });
    if (counts.notices > 0) log.info(counts, 'Owners are notified of the state of connections');
  },
});

/** The members who want the mail: owners by default, and for a refused credential also the member who connected it. */
const findRecipients = (
  { query }: Pick<Transaction, 'query'>,
  { accountId, state, connectedBy }: ConnectionNotice,
): Promise<string[]> =>
  findNotifiedAddresses({ query, accountId }, 'stopped', {
    alsoUserId: state === 'disconnected' ? connectedBy : null,
  });

/** The people whose changes wait for a marketing tool. Undefined if the mail does not mention them. */
async function countPeople(
  { query }: Pick<Transaction, 'query'>,
  { accountId, connectionId, kind, state }: ConnectionNotice,
): Promise<number | undefined> {
  if (kind === 'mail' || state === 'attention') return undefined;
  const waiting = await countWaitingChanges({ query, accountId }, [connectionId]);
  return waiting.get(connectionId)?.people ?? 0;
}

/** Counting ends at 100,000. */
const waitingText = (people: number): string =>
  people === 1 ? '1 person waits now.' : `${people.toLocaleString('en')} people wait now.`;

interface NoticeText {
  subject: string;
  what: string;
  todo: string;
}

const texts: Record<
  ConnectionNotice['kind'],
  { called: string; page: string; says: string; byState: Record<ConnectionNotice['state'], NoticeText> }
> = {
  mail: {
    called: 'E-mail connection',
    page: 'email',
    says: 'The provider says',
    byState: {
      failing: {
        subject: 'is failing',
        what: 'does not take e-mails at the moment. They wait and are sent when it does.',
        todo: 'You do not have to do anything, unless the reason above says so.',
      },
      disconnected: {
        subject: 'is disconnected',
        what: 'refuses the stored key or password, so it sends no e-mails of this workspace.',
        todo: 'Make a new key or password at the provider, and enter it on this page. Nothing else has to be set up again:',
      },
      attention: {
        subject: 'needs attention',
        what: 'has refused an e-mail, although its key or password is valid.',
        todo: 'Check the From address and its domain at the provider and on this page:',
      },
    },
  },
  marketing: {
    called: 'Marketing tool',
    page: 'marketing-tools',
    says: 'The reason is',
    byState: {
      failing: {
        subject: 'is failing',
        what: 'takes no changes of contacts at the moment. They wait and are sent when it does.',
        todo: 'You do not have to do anything, unless the reason above says so.',
      },
      disconnected: {
        subject: 'is disconnected',
        what: 'refuses the stored key. Changes of contacts wait for 30 days and are sent after you have reconnected it.',
        todo: 'Make a new key at the tool, and enter it on this page. Nothing else has to be set up again:',
      },
      attention: {
        subject: 'needs attention',
        what: 'has not taken a part of what was sent, although its key is valid. The rest is sent as usual.',
        todo: 'Check the rights of the key, and the fields and lists on this page:',
      },
    },
  },
};

/** The reason is on a line of its own, because it may be a text of the provider. */
export function composeConnectionNotice(
  { accountId, kind, name, state, since, reason }: ConnectionNotice,
  waitingPeople: number | undefined,
  dashboardUrl: string,
): { subject: string; text: string } {
  const { called: noun, page, says, byState } = texts[kind];
  const { subject, what, todo } = byState[state];
  const called = `"${oneLine(name)}"`;
  const waiting = waitingPeople === undefined ? '' : ` ${waitingText(waitingPeople)}`;
  const parts = [
    'Hello,',
    `The connection ${called} ${what}${waiting}\nSince ${momentOf(since)}. ${says}:\n${oneLine(reason)}`,
    `${todo}\n${dashboardUrl}/w/${accountId}/settings/${page}`,
    'You get this mail because you are an owner of this workspace or made this connection.',
  ];
  return { subject: `${noun} ${called} ${subject}`, text: `${parts.join('\n\n')}\n` };
}

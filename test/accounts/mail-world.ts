// A server of accounts, a worker that sends its mails, and an inbox.
import { testWorker } from '../support/worker.ts';
import { eventually } from '../support/eventually.ts';
import { startSmtpInbox, type ReceivedMail } from '../worker/smtp-inbox.ts';
import { startAccounts, type AccountsServer, type ServerOptions } from './accounts-server.ts';

export interface MailWorld extends AsyncDisposable {
  server: AccountsServer;
  /** Waits until all mails that were asked for are sent. Returns those since the last call. */
  readMails(): Promise<(ReceivedMail & { subject: string; links: string[] })[]>;
}

export async function startMailWorld(options: ServerOptions = {}): Promise<MailWorld> {
  await using opened = new AsyncDisposableStack();
  const server = opened.use(await startAccounts({ mail: 'smtp', ...options }));
  const inbox = opened.use(await startSmtpInbox());
  const mail = { smtpUrl: inbox.url, from: 'Webinars <hooks@example.com>' };
  opened.use(await testWorker(server.url, { mail, baseUrl: server.baseUrl }));
  const kept = opened.move();
  return {
    server,
    async readMails() {
      await eventually('all mails to be sent', async () => {
        const { rowCount } = await server.database.pool.query('select from graphile_worker.jobs limit 1');
        return rowCount === 0;
      });
      return inbox.received.splice(0).map((received) => ({
        ...received,
        subject: /^Subject: (.*)$/m.exec(received.headers)?.[1] ?? '',
        links: received.text.match(/http:\S+/g) ?? [],
      }));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The token in the fragment of a link. */
export const tokenOf = (link: string | undefined): string => new URL(link ?? '').hash.slice(1);

// A bare loop of nodemailer in a process of its own: the same parts of a mail over as many open connections, and nothing around it.
import { createTransport } from 'nodemailer';
import { answerParent } from '../support/answering-process.ts';
import type { MailCeilingLoad } from './mail.ts';

answerParent('ready', measure);

async function measure({ port, mails, connections, parts }: MailCeilingLoad): Promise<number> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    auth: { user: 'hooks@example.com', pass: 'secret' },
    pool: true,
    maxConnections: connections,
  });
  const startedAt = performance.now();
  let started = 0;
  const lane = async (): Promise<void> => {
    while (started < mails) {
      started += 1;
      const { calendar, ...content } = parts;
      await transport.sendMail({
        ...content,
        to: `person-${started}@example.com`,
        icalEvent: { content: calendar, method: 'REQUEST', filename: 'invite.ics' },
      });
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  transport.close();
  return mails / seconds;
}

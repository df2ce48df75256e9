// A mail server in a process of its own, which takes every mail. Answers with the number of mails so far, or with the newest mail.
import { simpleParser } from 'mailparser';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { answerParent } from '../support/answering-process.ts';
import type { MailParts } from './mail.ts';

let taken = 0;
let newest: readonly Buffer[] = [];

const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData(stream, _session, done) {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      newest = pieces;
      taken += 1;
      done(null, `Ok: queued as ${taken}`);
    });
  },
});
server.on('error', () => undefined);
const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');

async function readNewest(): Promise<MailParts> {
  const { from, subject, text, html, attachments } = await simpleParser(Buffer.concat(newest));
  return {
    from: from!.text,
    subject: subject!,
    text: text!,
    html: html || '',
    calendar: attachments.find(({ filename }) => filename === 'invite.ics')!.content.toString(),
  };
}

answerParent((listening.address() as AddressInfo).port, (question: 'count' | 'newest') =>
  question === 'count' ? taken : readNewest(),
);

// A mail server in a process of its own, which takes every mail. Answers each question with the number of mails so far.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { answerParent } from '../support/answering-process.ts';

let taken = 0;

const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData(stream, _session, done) {
    stream.resume().on('end', () => {
      taken += 1;
      done(null, `Ok: queued as ${taken}`);
    });
  },
});
server.on('error', () => undefined);
const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');

answerParent((listening.address() as AddressInfo).port, () => taken);

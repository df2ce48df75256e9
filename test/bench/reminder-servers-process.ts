// Mail servers in a process of their own: one for the accounts that are measured, one that can hang, and an API that can answer 429.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { answerParent } from '../support/answering-process.ts';
import type { ServerQuestion, ServerReceipts } from './reminders.ts';

let isTroubled = false;
let receipts: ServerReceipts = empty();
let open = 0;

function empty(): ServerReceipts {
  return { measured: [], hangingOpenMax: 0, limitedAt: [] };
}

const takeMail = (account: string): void =>
  void receipts.measured.push({ account, at: performance.timeOrigin + performance.now() });

function startSmtp({ canHang }: { canHang: boolean }): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData(stream, { user }, done) {
      const hangs = canHang && isTroubled;
      if (hangs) receipts.hangingOpenMax = Math.max(receipts.hangingOpenMax, ++open);
      stream.resume().on('end', () => {
        if (hangs) return;
        if (!canHang) takeMail(String(user));
        done(null, 'Ok: queued');
      });
    },
    onClose: () => {
      if (canHang && open > 0) open -= 1;
    },
  });
  server.on('error', () => undefined);
  return server;
}

const api = createServer((request, response) => {
  request.resume().on('end', () => {
    const headers = { 'content-type': 'application/json' };
    if (!isTroubled) return response.writeHead(200, headers).end('{"id":"1"}');
    receipts.limitedAt.push(performance.timeOrigin + performance.now());
    response.writeHead(429, { ...headers, 'retry-after': '5' });
    return response.end('{"name":"rate_limit_exceeded","message":"Too many requests"}');
  });
});

const portOf = async (server: SMTPServer | Server): Promise<number> => {
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return (listening.address() as AddressInfo).port;
};

const ports = [
  await portOf(startSmtp({ canHang: false })),
  await portOf(startSmtp({ canHang: true })),
  await portOf(api),
];

answerParent(ports, (question: ServerQuestion) => {
  if (question.kind !== 'reset') return question.kind === 'count' ? receipts.measured.length : receipts;
  isTroubled = question.isTroubled;
  receipts = empty();
  open = 0;
  return undefined;
});

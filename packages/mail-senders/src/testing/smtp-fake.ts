// A mail server with accounts, faults and replies, made of smtp-server. mailparser reads the mails that arrived.
import { certificate, key } from '@service/outbound-http/testing';
import { simpleParser } from 'mailparser';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import {
  createState,
  domainOf,
  type FakeProvider,
  type FakeStep,
  type Fault,
  type TakenMail,
} from './http-fake.ts';

export interface SmtpReply {
  at: 'auth' | 'mail' | 'rcpt' | 'dot';
  code: number;
  message: string;
}

export interface SmtpFake extends FakeProvider {
  /** Given once each, at their stages, instead of the usual reply. */
  replies: SmtpReply[];
  username: string;
  /** Closes all connections. */
  disconnect(): void;
}

export interface SmtpFakeOptions {
  /** `starttls` and `tls` under a certificate of receiver.test. Without: in clear. */
  security?: 'tls' | 'starttls';
  cert?: string;
}

const refuse = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

/** Starts a mail server on a free port of this machine. A fault with a status is a reply to the final dot. */
export async function startSmtpFake({
  security,
  cert = certificate,
}: SmtpFakeOptions = {}): Promise<SmtpFake> {
  const state = Object.assign(createState('correct/horse@battery'), {
    replies: [] as SmtpReply[],
    username: 'hooks@example.com',
  });
  const sockets = new Set<Socket>();
  const replyAt = (stage: SmtpReply['at']): Error | undefined => {
    const index = state.replies.findIndex(({ at }) => at === stage);
    const [reply] = index < 0 ? [] : state.replies.splice(index, 1);
    return reply && refuse(reply.code, reply.message);
  };

  /** Breaks all connections, and leaves the client without a reply. */
  const isBroken = (step: FakeStep): boolean => {
    const isCut = state.onStep?.(step) === true;
    if (isCut) for (const socket of sockets) socket.destroy();
    return isCut;
  };

  const server = new SMTPServer({
    secure: security === 'tls',
    ...(security === undefined ? { disabledCommands: ['STARTTLS'] } : { key, cert }),
    allowInsecureAuth: security === undefined,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      if (!isBroken('connected')) done();
    },
    onAuth({ username, password }, _session, done) {
      state.requests.push({ method: 'AUTH', path: username ?? '' });
      if (isBroken('auth')) return;
      const isKnown = state.key !== undefined && password === state.key && username === state.username;
      const reply = replyAt('auth');
      if (reply) done(reply);
      else if (isKnown) done(null, { user: username });
      else done(refuse(535, `5.7.8 Authentication failed for ${username} with ${password}`));
    },
    onMailFrom({ address }, _session, done) {
      if (isBroken('mail')) return;
      const isRested = state.faults[0] === 'rate_limited';
      if (isRested) state.faults.shift();
      const reply = replyAt('mail');
      if (reply) done(reply);
      else if (isRested) done(refuse(421, '4.7.0 Too many mails, try again later'));
      else if (state.verifiedDomains.has(domainOf(address))) done();
      else done(refuse(550, `5.7.1 Sender address ${address} rejected: not owned by user`));
    },
    onRcptTo({ address }, _session, done) {
      if (isBroken('rcpt')) return;
      const reply = replyAt('rcpt');
      if (reply) done(reply);
      else if (state.inactive.has(address)) done(refuse(550, '5.1.1 No such user here'));
      else done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      if (isBroken('data')) return;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isBroken('dot')) return;
        const reply = replyAt('dot');
        const fault = state.faults.shift();
        if (reply) return done(reply);
        if (fault === 'unavailable') return done(refuse(451, '4.3.0 Temporary failure'));
        if (typeof fault === 'object') return done(refuse(fault.status, String(fault.body)));
        const to = envelope.rcptTo.map(({ address }) => address);
        void take(Buffer.concat(chunks), to, fault, done);
      });
    },
  });
  async function take(
    message: Buffer,
    to: string[],
    fault: Fault | undefined,
    done: (error: null, reply: string) => void,
  ): Promise<void> {
    const mail = await readMail(message, to);
    state.mails.push(mail);
    if (isBroken('taken')) return;
    if (fault === undefined) {
      done(null, `Ok: queued as ${mail.id}`);
      isBroken('answered');
      return;
    }
    if (fault === 'lost') for (const socket of sockets) socket.destroy();
    state.onSilent?.();
  }
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  listening.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return Object.assign(state, {
    port,
    baseUrl: '',
    disconnect() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      if (security === undefined) {
        for (const socket of sockets) socket.destroy();
        await new Promise<void>((resolve) => server.close(() => resolve()));
        return;
      }
      // Node 24.21 crashes (SIGSEGV) when the socket below a TLS connection of a server is destroyed during its handshake, which
      // server.close does too. So open connections are left to their clients.
      listening.close();
      for (const socket of sockets) socket.unref();
    },
  });
}

let count = 0;

async function readMail(message: Buffer, to: string[]): Promise<TakenMail> {
  const {
    from,
    replyTo,
    subject = '',
    text = '',
    html,
    headerLines,
    attachments,
  } = await simpleParser(message);
  const toMailbox = (list: typeof from): TakenMail['replyTo'] =>
    list && { name: list.value[0]?.name ?? '', address: list.value[0]?.address ?? '' };
  // The whole field, also where it is folded. mailparser keeps only the type.
  const [, type = ''] =
    /^content-type: (text\/calendar(?:[^\r\n]|\r\n[ \t])*)/im.exec(message.toString()) ?? [];
  const calendar = attachments.find(({ contentType }) => contentType === 'text/calendar');
  return {
    id: `Q${++count}`,
    idempotencyKey: undefined,
    from: toMailbox(from)!,
    replyTo: toMailbox(replyTo),
    to,
    subject,
    text: text.trimEnd(),
    html: html === false ? undefined : html?.trimEnd(),
    headers: Object.fromEntries(
      headerLines.map(({ key: name, line }) => [
        name,
        line
          .slice(name.length + 1)
          .replaceAll(/\r\n/g, '')
          .trim(),
      ]),
    ),
    calendar: calendar && { content: calendar.content.toString(), type: type.replaceAll(/\r\n[ \t]+/g, ' ') },
  };
}

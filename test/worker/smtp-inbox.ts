import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the envelope, to whom the mail is really sent. */
  to: string[];
  headers: string;
  /** Of the first part, decoded. */
  text: string;
  /** As it came. */
  message: string;
}

export interface SmtpInbox extends AsyncDisposable {
  url: string;
  received: ReceivedMail[];
}

/** A real SMTP server on a free port of this machine. It accepts every mail by default. */
export async function startSmtpInbox(options: SMTPServerOptions = {}): Promise<SmtpInbox> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const message = Buffer.concat(chunks).toString();
        received.push({ to, message, ...readMessage(message) });
        done();
      });
    },
    ...options,
  });
  // Some tests close the connection.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** For a message whose first part is plain text. */
function readMessage(message: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = message.indexOf('\r\n\r\n');
  // A long header goes on in lines that begin with a space (RFC 5322, 2.2.3).
  const headers = message.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const body = message.slice(end + 4);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1];
  if (boundary !== undefined) {
    const [, first = ''] = body.split(`--${boundary}\r\n`);
    return { headers, text: readMessage(first).text };
  }
  const text = /^content-transfer-encoding: quoted-printable$/im.test(headers) ? decodeQuoted(body) : body;
  return { headers, text: text.replaceAll('\r\n', '\n') };
}

function decodeQuoted(body: string): string {
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

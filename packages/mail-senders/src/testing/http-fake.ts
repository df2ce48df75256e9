// The part that all fake providers share: a small HTTP server with keys, mails, faults and limits. It uses no code of the senders.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A mail that a fake has taken. */
export interface TakenMail {
  id: string;
  idempotencyKey: string | undefined;
  from: { name: string; address: string };
  replyTo: { name: string; address: string } | undefined;
  /** All recipients of the envelope. */
  to: string[];
  subject: string;
  text: string;
  html: string | undefined;
  /** With names in lower case. */
  headers: Record<string, string>;
  calendar: { content: string; type: string } | undefined;
}

/** Is applied to one send, each in turn. `lost`: the mail is taken, then the connection breaks. `silent`: taken, never answered. */
export type Fault = 'rate_limited' | 'unavailable' | 'lost' | 'silent' | FakeAnswer;

/** The steps of a mail at a fake, of SMTP and of HTTP. `taken`: from here on the mail has arrived. */
export type FakeStep =
  | 'connected'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'dot'
  | 'request'
  | 'body'
  | 'taken'
  | 'answered';

export interface FakeAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface FakeState {
  /** The only key that is known. Undefined: it was revoked. */
  key: string | undefined;
  mails: TakenMail[];
  faults: Fault[];
  /** Addresses that bounced or complained before. */
  inactive: Set<string>;
  verifiedDomains: Set<string>;
  /** The text of the first request of each idempotency key. */
  bodies: Map<string, string>;
  /** Called at each step of a send. True breaks the connection there. */
  onStep: ((step: FakeStep) => boolean) | undefined;
  /** Called when a send was taken and gets no answer. */
  onSilent: (() => void) | undefined;
  /** Every request in its order, also refused ones. */
  requests: { method: string; path: string }[];
}

export interface FakeProvider extends AsyncDisposable, FakeState {
  baseUrl: string;
  port: number;
}

export interface FakeRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Undefined when it is no JSON. */
  body: Record<string, unknown> | undefined;
}

export interface FakeRules {
  defaultKey: string;
  sendPath: string;
  keyOf(request: FakeRequest): string | undefined;
  /** The provider's answer for an unknown key. Some repeat the key. */
  unauthorized(key: string | undefined): FakeAnswer;
  rateLimited: FakeAnswer;
  unavailable: FakeAnswer;
  /** Answers everything but the sending. */
  answer(request: FakeRequest, state: FakeState): FakeAnswer;
  /** Reads a mail as strictly as the provider. An answer is a refusal. */
  readMail(request: FakeRequest, state: FakeState): Omit<TakenMail, 'id'> | FakeAnswer;
  accepted(mail: TakenMail): FakeAnswer;
  /** The answer for a known idempotency key. Without it every request is a new mail. */
  repeated?(mail: TakenMail): FakeAnswer;
}

/** Starts a fake provider on a free port of this machine. */
export async function startHttpFake(rules: FakeRules): Promise<FakeProvider> {
  const state = createState(rules.defaultKey);
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    if (isBroken('request', incoming, response)) return;
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    incoming.on('end', () => {
      if (isBroken('body', incoming, response)) return;
      const { method = '', url: path = '', headers } = incoming;
      state.requests.push({ method, path });
      respond({ method, path, headers, body: parse(Buffer.concat(chunks)) }, response);
    });
  });

  function isBroken(step: FakeStep, { url }: IncomingMessage, { socket }: ServerResponse): boolean {
    const isCut = url === rules.sendPath && state.onStep?.(step) === true;
    if (isCut) socket?.resetAndDestroy();
    return isCut;
  }

  function respond(request: FakeRequest, response: ServerResponse): void {
    const key = rules.keyOf(request);
    if (state.key === undefined || key !== state.key) return write(response, rules.unauthorized(key));
    if (request.method !== 'POST' || request.path !== rules.sendPath)
      return write(response, rules.answer(request, state));
    const fault = state.faults.shift();
    if (fault === 'rate_limited' || fault === 'unavailable')
      return write(response, fault === 'rate_limited' ? rules.rateLimited : rules.unavailable);
    if (typeof fault === 'object') return write(response, fault);
    const answer = take(request);
    if (state.onStep?.('taken')) return void response.socket?.resetAndDestroy();
    if (fault === undefined) {
      write(response, answer);
      if (state.onStep?.('answered')) response.socket?.destroySoon();
      return;
    }
    if (fault === 'lost') response.destroy();
    state.onSilent?.();
  }

  function take(request: FakeRequest): FakeAnswer {
    const read = rules.readMail(request, state);
    if ('status' in read) return read;
    const known = state.mails.find((mail) => mail.idempotencyKey === read.idempotencyKey);
    if (rules.repeated && read.idempotencyKey !== undefined && known) return rules.repeated(known);
    const mail = { id: `${state.mails.length + 1}-${crypto.randomUUID()}`, ...read };
    state.mails.push(mail);
    return rules.accepted(mail);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

export const createState = (key: string): FakeState => ({
  key,
  mails: [],
  faults: [],
  inactive: new Set(),
  verifiedDomains: new Set(['example.com']),
  bodies: new Map(),
  onStep: undefined,
  onSilent: undefined,
  requests: [],
});

function write(response: ServerResponse, { status, headers, body }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
}

function parse(body: Buffer): FakeRequest['body'] {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Reads `"Name" <address>` and a plain address. Undefined for anything else, such as two addresses. */
export function readMailbox(text: unknown): { name: string; address: string } | undefined {
  const match = /^(?:"((?:[^"\\]|\\.)*)" )?<?([^<>\s,"]+@[^<>\s,"]+)>?$/.exec(String(text));
  return match ? { name: match[1] ?? '', address: match[2]! } : undefined;
}

export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);

/** The names of a record that the provider does not know, to find mistyped fields. */
export const unknownFields = (record: object, known: string[]): string[] =>
  Object.keys(record).filter((name) => !known.includes(name));

export const lowerNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export const decode = (base64: unknown): string => Buffer.from(String(base64), 'base64').toString();

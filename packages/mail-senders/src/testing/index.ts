// Fake providers that behave like the real ones, for tests here and elsewhere.
import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  createSocketOpener,
  type Resolver,
} from '@service/outbound-http';
import { certificate } from '@service/outbound-http/testing';
import type { MailSender, OutgoingMail, SendContext } from '../index.ts';
import { brevoFake } from './brevo-fake.ts';
import { type FakeProvider, startHttpFake } from './http-fake.ts';
import { postmarkFake } from './postmark-fake.ts';
import { resendFake } from './resend-fake.ts';
import { sendgridFake } from './sendgrid-fake.ts';
import { startSmtpFake } from './smtp-fake.ts';

export { type Cut, type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
export type { Fault, FakeProvider, FakeStep, TakenMail } from './http-fake.ts';
export { type SmtpFake, startSmtpFake } from './smtp-fake.ts';

const rules = { resend: resendFake, postmark: postmarkFake, sendgrid: sendgridFake, brevo: brevoFake };

/** Starts the fake of a sender. Its credential is that of `credentialOf`. */
export const startFake = (id: MailSender['id']): Promise<FakeProvider> =>
  id === 'smtp' ? startSmtpFake() : startHttpFake(rules[id]);

/** The credential that a fake knows, also after it was revoked. */
export function credentialOf(id: MailSender['id'], fake: { port: number }): Record<string, unknown> {
  const credentials: Record<MailSender['id'], Record<string, unknown>> = {
    smtp: {
      host: '127.0.0.1',
      port: fake.port,
      username: 'hooks@example.com',
      password: 'correct/horse@battery',
    },
    resend: { key: resendFake.defaultKey },
    postmark: { token: postmarkFake.defaultKey, stream: 'outbound' },
    sendgrid: { key: sendgridFake.defaultKey, region: 'global' },
    brevo: { key: brevoFake.defaultKey },
  };
  return credentials[id];
}

interface ContextOptions {
  /** Addresses by name. Default: the names of this machine. */
  addresses?: Record<string, string[]>;
  allowedCidrs?: string[];
  signal?: AbortSignal;
}

/** A context that may reach this machine and trusts the certificate of receiver.test. */
export function createTestContext(
  { port, baseUrl }: { port: number; baseUrl: string },
  { addresses = {}, allowedCidrs = ['127.0.0.0/8', '::1/128'], signal }: ContextOptions = {},
): SendContext & AsyncDisposable {
  const policy = createOutboundPolicy({ allowedCidrs, allowHttp: true });
  const system = createResolver();
  const resolver: Resolver = {
    resolve: (name) => (addresses[name] ? Promise.resolve(addresses[name]) : system.resolve(name)),
  };
  const http = createOutboundAgent({ policy, resolver });
  return {
    http,
    openSocket: createSocketOpener({ policy, resolver }),
    baseUrl: baseUrl.replace(/:\d+/, `:${port}`),
    signal: signal ?? new AbortController().signal,
    ca: certificate,
    [Symbol.asyncDispose]: () => http.destroy(),
  };
}

/** A mail with every part, and letters beyond ASCII in each. */
export function exampleMail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: `<${crypto.randomUUID()}@example.com>`,
    idempotencyKey: crypto.randomUUID(),
    from: { name: 'Zoë Webinars, Inc', address: 'hooks@example.com' },
    replyTo: { name: 'Łukasz', address: 'lukasz@example.com' },
    to: 'ada@recipients.example',
    subject: 'Grüße – 日本語 🎉',
    text: 'Grüße,\n.\nund eine Zeile nur mit Punkt. 日本語 🎉',
    html: '<p>Grüße, 日本語 🎉</p>',
    ...changes,
  };
}

// https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors
import {
  decode,
  domainOf,
  type FakeAnswer,
  type FakeRules,
  lowerNames,
  readMailbox,
  unknownFields,
} from './http-fake.ts';

const refuse = (status: number, message: string, field: string | null = null): FakeAnswer => ({
  status,
  body: { errors: [{ message, field, help: null }] },
});

interface Email {
  email: string;
  name?: string;
}

const toMailbox = ({ email, name = '' }: Email): { name: string; address: string } | undefined =>
  readMailbox(email) && { name, address: email };

export const sendgridFake: FakeRules = {
  defaultKey: 'SG.abcdefghijklmnop.qrstuvwxyz0123456789',
  sendPath: '/v3/mail/send',
  keyOf: ({ headers }) => headers.authorization?.replace('Bearer ', ''),
  unauthorized: (key) =>
    refuse(401, `The provided authorization grant is invalid, expired, or revoked: ${key}`),
  get rateLimited(): FakeAnswer {
    const reset = Math.ceil(Date.now() / 1000) + 7;
    return { ...refuse(429, 'too many requests'), headers: { 'x-ratelimit-reset': String(reset) } };
  },
  unavailable: refuse(503, 'Service unavailable'),
  answer({ path }, { verifiedDomains }) {
    if (path === '/v3/scopes') return { status: 200, body: { scopes: ['mail.send', 'sender_verification'] } };
    if (!path.startsWith('/v3/whitelabel/domains')) return refuse(404, 'not found');
    const list = [...verifiedDomains].map((domain) => ({ id: 1, domain, valid: true }));
    return { status: 200, body: [...list, { id: 2, domain: 'new.example', valid: false }] };
  },
  readMail({ body }, { verifiedDomains, inactive }) {
    if (body === undefined) return refuse(400, 'Bad Request');
    const known = ['personalizations', 'from', 'reply_to', 'subject', 'headers', 'content', 'attachments'];
    const unknown = unknownFields(body, [...known, 'tracking_settings']);
    if (unknown.length > 0) return refuse(400, `Additional property ${unknown.join()} is not allowed`);
    const from = toMailbox(body['from'] as Email);
    const [recipients] = body['personalizations'] as { to: Email[] }[];
    const to = recipients?.to.map(toMailbox) ?? [];
    if (!from || (body['from'] as Email).name === '') return refuse(400, 'Invalid from.', 'from');
    if (to.length !== 1 || !to[0] || inactive.has(to[0].address))
      return refuse(400, 'Does not contain a valid address.', 'personalizations.0.to.0.email');
    if (!verifiedDomains.has(domainOf(from.address)))
      return refuse(403, 'The from address does not match a verified Sender Identity.', 'from');
    const content = body['content'] as { type: string; value: string }[];
    const [file] = (body['attachments'] ?? []) as { content: string; type: string }[];
    // A type with a semicolon is refused.
    if (file && /[;\r\n]/.test(file.type)) return refuse(400, 'Invalid type.', 'attachments.0.type');
    return {
      idempotencyKey: undefined,
      from,
      replyTo: body['reply_to'] === undefined ? undefined : toMailbox(body['reply_to'] as Email),
      to: [to[0].address],
      subject: String(body['subject']),
      text: content.find(({ type }) => type === 'text/plain')?.value ?? '',
      html: content.find(({ type }) => type === 'text/html')?.value,
      headers: lowerNames(body['headers'] as Record<string, string>),
      calendar: file && { content: decode(file.content), type: file.type },
    };
  },
  accepted: ({ id }) => ({ status: 202, headers: { 'x-message-id': id } }),
};

// https://developers.brevo.com/reference/sendtransacemail
import {
  decode,
  domainOf,
  type FakeAnswer,
  type FakeRules,
  lowerNames,
  readMailbox,
  unknownFields,
} from './http-fake.ts';

const refuse = (status: number, code: string, message: string): FakeAnswer => ({
  status,
  body: { code, message },
});

interface Email {
  email: string;
  name?: string;
}

const special = /[()<>@,;:\\".[\]]/;

/** Brevo drops a name with letters beyond ASCII and special characters. */
const toMailbox = ({ email, name = '' }: Email): { name: string; address: string } | undefined => {
  const isDropped = !/^[ -~]*$/.test(name) && special.test(name);
  return readMailbox(email) && { name: isDropped ? '' : name, address: email };
};

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export const brevoFake: FakeRules = {
  defaultKey: 'xkeysib-0123456789abcdef0123456789abcdef-AbCdEfGhIjKl',
  sendPath: '/v3/smtp/email',
  keyOf: ({ headers }) => headers['api-key'] as string | undefined,
  unauthorized: (key) => refuse(401, 'unauthorized', `Key not found: ${key}`),
  rateLimited: {
    ...refuse(429, 'too_many_requests', 'Too many requests'),
    headers: {
      'x-sib-ratelimit-limit': '1000',
      'x-sib-ratelimit-remaining': '0',
      'x-sib-ratelimit-reset': '7',
    },
  },
  unavailable: refuse(503, 'service_unavailable', 'Service unavailable'),
  answer({ path }, { verifiedDomains }) {
    if (path === '/v3/account')
      return { status: 200, body: { email: 'owner@example.com', companyName: 'Acme' } };
    if (path !== '/v3/senders/domains') return refuse(404, 'document_not_found', 'Not found');
    const domains = [...verifiedDomains].map((domain) => ({ domain_name: domain, authenticated: true }));
    return {
      status: 200,
      body: { domains: [...domains, { domain_name: 'new.example', authenticated: false }] },
    };
  },
  readMail({ body }, { verifiedDomains, inactive }) {
    if (body === undefined) return refuse(400, 'bad_request', 'Input must be a valid JSON object');
    const known = ['sender', 'to', 'replyTo', 'subject', 'textContent', 'htmlContent', 'headers'];
    const unknown = unknownFields(body, [...known, 'attachment']);
    if (unknown.length > 0) return refuse(400, 'invalid_parameter', `Unknown ${unknown.join()}`);
    const { idempotencyKey, ...headers } = lowerKey(body['headers'] as Record<string, string>);
    if (idempotencyKey !== undefined && !uuid.test(idempotencyKey))
      return refuse(400, 'invalid_parameter', 'idempotencyKey is not a valid UUID');
    if (Object.values(headers).some((value) => !/^[ -~]*$/.test(value)))
      return refuse(400, 'invalid_parameter', 'headers are not valid');
    const from = toMailbox(body['sender'] as Email);
    const to = (body['to'] as Email[]).map(toMailbox);
    if (!from) return refuse(400, 'invalid_parameter', 'sender email is not valid');
    if (to.length !== 1 || !to[0] || inactive.has(to[0].address))
      return refuse(400, 'invalid_parameter', 'email is not valid in to');
    if (!verifiedDomains.has(domainOf(from.address)))
      return refuse(
        400,
        'invalid_parameter',
        `Sending has been rejected because the sender you used ${from.address} is not valid.`,
      );
    const [file] = (body['attachment'] ?? []) as { name: string; content: string }[];
    return {
      idempotencyKey,
      from,
      replyTo: body['replyTo'] === undefined ? undefined : toMailbox(body['replyTo'] as Email),
      to: [to[0].address],
      subject: String(body['subject']),
      text: String(body['textContent']),
      html: body['htmlContent'] as string | undefined,
      headers,
      calendar: file?.name.endsWith('.ics')
        ? { content: decode(file.content), type: 'text/calendar' }
        : undefined,
    };
  },
  accepted: ({ id }) => ({ status: 201, body: { messageId: `<${id}@smtp-relay.mailin.fr>` } }),
  repeated: () => refuse(400, 'duplicate_request', 'A request with this idempotencyKey was processed'),
};

const lowerKey = ({
  idempotencyKey,
  ...headers
}: Record<string, string>): Record<string, string> & {
  idempotencyKey?: string;
} => ({ ...lowerNames(headers), ...(idempotencyKey !== undefined && { idempotencyKey }) });

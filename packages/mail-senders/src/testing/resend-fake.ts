// https://resend.com/docs/api-reference/errors
import {
  decode,
  domainOf,
  type FakeAnswer,
  type FakeRules,
  lowerNames,
  readMailbox,
  unknownFields,
} from './http-fake.ts';

const refuse = (statusCode: number, name: string, message: string): FakeAnswer => ({
  status: statusCode,
  body: { statusCode, name, message },
});

export const resendFake: FakeRules = {
  defaultKey: 're_123456789_abcdefghijkl',
  sendPath: '/emails',
  keyOf: ({ headers }) => headers.authorization?.replace('Bearer ', ''),
  unauthorized: (key) => refuse(401, 'validation_error', `API key is invalid: ${key}`),
  rateLimited: {
    ...refuse(429, 'rate_limit_exceeded', 'Too many requests. You can only make 5 requests per second.'),
    headers: {
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
      'retry-after': '7',
    },
  },
  unavailable: refuse(503, 'service_unavailable', 'Service temporarily unavailable'),
  answer({ method, path }, { verifiedDomains }) {
    if (method !== 'GET' || path !== '/domains') return refuse(404, 'not_found', 'Not found');
    const data = [...verifiedDomains].map((name) => ({ id: name, name, status: 'verified' }));
    return {
      status: 200,
      body: { data: [...data, { id: '2', name: 'new.example', status: 'not_started' }] },
    };
  },
  readMail({ body, headers }, { verifiedDomains, inactive, bodies }) {
    const idempotencyKey = headers['idempotency-key'] as string | undefined;
    if (idempotencyKey === '' || (idempotencyKey?.length ?? 0) > 256)
      return refuse(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
    if (body === undefined) return refuse(400, 'validation_error', 'The body is not JSON.');
    const known = ['from', 'to', 'reply_to', 'subject', 'text', 'html', 'headers', 'attachments'];
    const unknown = unknownFields(body, known);
    if (unknown.length > 0) return refuse(422, 'validation_error', `Unknown fields ${unknown.join()}`);
    const before = bodies.get(idempotencyKey ?? '');
    if (before !== undefined && before !== JSON.stringify(body))
      return refuse(409, 'invalid_idempotent_request', 'This key was used with another request body.');
    const from = readMailbox(body['from']);
    const to = (body['to'] as string[]).map(readMailbox);
    if (!from) return refuse(422, 'validation_error', 'Invalid `from` field.');
    if (to.length !== 1 || !to[0] || inactive.has(to[0].address))
      return refuse(422, 'validation_error', 'Invalid `to` field.');
    if (!verifiedDomains.has(domainOf(from.address)))
      return refuse(403, 'validation_error', `The ${domainOf(from.address)} domain is not verified.`);
    if (idempotencyKey !== undefined) bodies.set(idempotencyKey, JSON.stringify(body));
    const [file] = (body['attachments'] ?? []) as { content: string; content_type: string }[];
    return {
      idempotencyKey,
      from,
      replyTo: body['reply_to'] === undefined ? undefined : readMailbox(body['reply_to']),
      to: [to[0].address],
      subject: String(body['subject']),
      text: String(body['text']),
      html: body['html'] as string | undefined,
      headers: lowerNames(body['headers'] as Record<string, string>),
      calendar: file && { content: decode(file.content), type: file.content_type },
    };
  },
  accepted: ({ id }) => ({ status: 200, body: { id } }),
  repeated: ({ id }) => ({ status: 200, body: { id } }),
};

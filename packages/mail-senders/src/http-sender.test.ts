import { expect, test } from 'vitest';
import { mailSenders } from './index.ts';
import type { MailSender, SendOutcome } from './mail-sender.ts';
import { createTestContext, credentialOf, exampleMail, type Fault, startFake } from './testing/index.ts';

/** The outcome of a send that is answered with `fault`. */
async function answered(id: MailSender['id'], fault: Fault, path = ''): Promise<SendOutcome> {
  const sender = mailSenders.find((candidate) => candidate.id === id)!;
  await using fake = await startFake(id);
  await using context = createTestContext({ port: fake.port, baseUrl: fake.baseUrl + path });
  fake.faults.push(fault);
  return await sender.send(exampleMail(), sender.credential.parse(credentialOf(id, fake)), context);
}

const hourMs = 3_600_000;
const resend = (statusCode: number, name: string, message: string): Fault => ({
  status: statusCode,
  body: { statusCode, name, message },
});
const postmark = (ErrorCode: number, Message: string): Fault => ({
  status: 422,
  body: { ErrorCode, Message },
});
const sendgrid = (status: number, message: string, field: string | null = null): Fault => ({
  status,
  body: { errors: [{ message, field }] },
});
const brevo = (status: number, code: string, message: string): Fault => ({ status, body: { code, message } });

const answers: [id: MailSender['id'], fault: Fault, outcome: object][] = [
  ['resend', resend(400, 'validation_error', 'API key is invalid'), { kind: 'credential_refused' }],
  ['resend', resend(403, 'invalid_api_key', 'API key is invalid.'), { kind: 'credential_refused' }],
  ['resend', resend(401, 'missing_api_key', 'Missing API key'), { kind: 'credential_refused' }],
  [
    'resend',
    resend(403, 'validation_error', 'You can only send testing emails to your own address'),
    { kind: 'mail_refused' },
  ],
  ['resend', resend(422, 'invalid_attachment', 'Attachment must have content'), { kind: 'mail_refused' }],
  [
    'resend',
    resend(409, 'concurrent_idempotent_requests', 'In progress'),
    { kind: 'later', mayHaveArrived: true },
  ],
  ['resend', resend(409, 'invalid_idempotent_request', 'Other body'), { kind: 'uncertain' }],
  [
    'resend',
    resend(429, 'daily_quota_exceeded', 'You have reached your daily quota.'),
    { kind: 'later', restsLane: true, retryAfterMs: hourMs },
  ],
  ['resend', { status: 504, body: '<html>' }, { kind: 'later', mayHaveArrived: true }],
  [
    'postmark',
    postmark(405, 'Not allowed to send: no credits'),
    { kind: 'later', restsLane: true, retryAfterMs: hourMs },
  ],
  ['postmark', postmark(412, 'Your account is pending approval'), { kind: 'mail_refused' }],
  ['postmark', postmark(413, 'Account may not send'), { kind: 'credential_refused' }],
  ['postmark', postmark(1235, 'The stream does not exist'), { kind: 'credential_refused' }],
  ['postmark', postmark(300, "Invalid 'From' address"), { kind: 'mail_refused' }],
  ['postmark', { status: 504, body: '<html>' }, { kind: 'uncertain' }],
  ['postmark', { status: 500, body: '' }, { kind: 'later', restsLane: false }],
  [
    'sendgrid',
    sendgrid(401, 'Maximum credits exceeded'),
    { kind: 'later', restsLane: true, retryAfterMs: hourMs },
  ],
  ['sendgrid', sendgrid(403, 'access forbidden'), { kind: 'credential_refused' }],
  ['sendgrid', sendgrid(400, 'Invalid subject', 'subject'), { kind: 'mail_refused' }],
  ['sendgrid', sendgrid(413, 'Payload too large'), { kind: 'mail_refused' }],
  [
    'brevo',
    brevo(402, 'not_enough_credits', 'No credits'),
    { kind: 'later', restsLane: true, retryAfterMs: hourMs },
  ],
  [
    'brevo',
    brevo(401, 'unauthorized', 'We have detected you are using an unrecognised IP address'),
    { kind: 'credential_refused' },
  ],
  [
    'brevo',
    brevo(403, 'account_under_validation', 'Your account is under validation'),
    { kind: 'credential_refused' },
  ],
  ['brevo', brevo(400, 'invalid_parameter', 'subject is missing'), { kind: 'mail_refused' }],
  ['brevo', brevo(400, 'invalid_parameter', 'idempotencyKey is not a valid UUID'), { kind: 'mail_refused' }],
  ['brevo', brevo(400, 'duplicate_request', 'idempotencyKey was used'), { kind: 'sent' }],
  [
    'brevo',
    { status: 503, headers: { 'retry-after': '30' } },
    { kind: 'later', restsLane: true, retryAfterMs: 30_000 },
  ],
];

test('each answer of a provider has its outcome', async () => {
  for (const [id, fault, outcome] of answers)
    expect(await answered(id, fault), JSON.stringify(fault)).toMatchObject(outcome);
});

test('a redirect is not followed, because it would carry the key to another host', async () => {
  await using other = await startFake('resend');
  for (const id of ['resend', 'postmark', 'sendgrid', 'brevo'] as const) {
    const outcome = await answered(id, { status: 307, headers: { location: `${other.baseUrl}/emails` } });
    expect(outcome, id).toMatchObject({ kind: 'later', mayHaveArrived: false });
  }
  expect(other.requests).toEqual([]);
});

test('a base address may end with a slash or with the version', async () => {
  for (const path of ['', '/', '/v3', '/v3/'])
    expect(await answered('brevo', { status: 201, body: { messageId: '<1@a>' } }, path), path).toEqual({
      kind: 'sent',
      providerMessageId: '<1@a>',
    });
});

test('a long answer with line ends becomes a reason of one line and 300 characters', async () => {
  const outcome = await answered('postmark', { status: 500, body: 'a\r\nb'.repeat(5000) });
  expect(outcome).toMatchObject({ reason: expect.stringMatching(/^a b[^\r\n]{297}$/) });
});

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { mailSenders } from './index.ts';
import type { MailEvent, MailSender, ReportRequest } from './mail-sender.ts';

const read = (id: MailSender['id'], request: ReportRequest): MailEvent[] | undefined =>
  mailSenders.find((sender) => sender.id === id)!.events!.read(request);

/** A request that needs no proof beyond the address. */
const plain = (body: unknown): ReportRequest => ({
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  secret: 'secret-of-our-address',
  now: new Date('2026-12-01T17:00:00Z'),
});

// The test vector of Svix, https://docs.svix.com/receiving/verifying-payloads/how-manual
const svix: ReportRequest = {
  headers: {
    'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'svix-timestamp': '1614265330',
    'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: Buffer.from('{"test": 2432232314}'),
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  now: new Date(1_614_265_330_000),
};

// The test vector of sendgrid-nodejs, packages/eventwebhook.
const sendgrid: ReportRequest = {
  headers: {
    'x-twilio-email-event-webhook-signature':
      'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=',
    'x-twilio-email-event-webhook-timestamp': '1600112502',
  },
  body: Buffer.from(
    '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
  ),
  secret:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
  now: new Date(1_600_112_502_000),
};

test('the signature vectors of Svix and SendGrid are proved', () => {
  expect(read('resend', svix)).toEqual([]);
  expect(read('sendgrid', sendgrid)).toEqual([
    {
      kind: 'bounced_hard',
      email: 'hello@world.com',
      providerMessageId: 'LRzXl_NHStOGhQ4kofSm_A',
      eventId: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
      at: new Date(1_600_112_492_000),
      reason: 'Bounced Address',
    },
  ]);
});

test('while a secret is replaced, one valid signature among several is enough', () => {
  const both = `v1,AAAAM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ${svix.headers['svix-signature']}`;
  expect(read('resend', { ...svix, headers: { ...svix.headers, 'svix-signature': both } })).toEqual([]);
});

test('a signed report is refused when a byte, the time, the secret or a header differs', () => {
  for (const [id, request, names] of [
    ['resend', svix, ['svix-id', 'svix-timestamp', 'svix-signature']],
    [
      'sendgrid',
      sendgrid,
      ['x-twilio-email-event-webhook-signature', 'x-twilio-email-event-webhook-timestamp'],
    ],
  ] as const) {
    const minutes = (count: number): Date => new Date(request.now.getTime() + count * 60_000);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const otherSecret =
      id === 'resend'
        ? 'whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
        : publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const forged: Partial<ReportRequest>[] = [
      { body: Buffer.concat([request.body, Buffer.from(' ')]) },
      { now: minutes(5.1) },
      { now: minutes(-5.1) },
      { secret: otherSecret },
      { secret: '' },
      { secret: 'no key' },
      ...names.flatMap((name) => [
        { headers: { ...request.headers, [name]: undefined } },
        { headers: { ...request.headers, [name]: '' } },
        { headers: { ...request.headers, [name]: `1${request.headers[name]}` } },
      ]),
    ];
    for (const change of forged)
      expect(read(id, { ...request, ...change }), JSON.stringify(change)).toBeUndefined();
    expect(read(id, { ...request, now: minutes(4.9) })).toBeDefined();
  }
});

test('a SendGrid key of another kind proves nothing', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const timestamp = '1600112502';
  const signed = Buffer.concat([Buffer.from(timestamp), sendgrid.body]);
  const signature = sign('sha256', signed, privateKey).toString('base64');
  expect(
    read('sendgrid', {
      ...sendgrid,
      headers: {
        'x-twilio-email-event-webhook-signature': signature,
        'x-twilio-email-event-webhook-timestamp': timestamp,
      },
      secret: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    }),
  ).toBeUndefined();
});

test('Postmark: bounces, complaints, unsubscribes and deliveries become events, other records do not', () => {
  const bounce = {
    RecordType: 'Bounce',
    ID: 42,
    Type: 'HardBounce',
    MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
    Description: 'The server was unable to deliver your message.',
    Details: 'smtp;550 5.1.1\r\nunknown user',
    Email: 'john@example.com',
    BouncedAt: '2026-11-30T13:28:10.2735393-04:00',
  };
  expect(read('postmark', plain(bounce))).toEqual([
    {
      kind: 'bounced_hard',
      email: 'john@example.com',
      providerMessageId: '883953f4-6105-42a2-a16a-77a8eac79483',
      eventId: 'Bounce-42',
      at: new Date('2026-11-30T17:28:10.273Z'),
      reason: 'smtp;550 5.1.1 unknown user',
    },
  ]);
  const kinds = (report: object): string[] => read('postmark', plain(report))!.map(({ kind }) => kind);
  expect(kinds({ ...bounce, Type: 'SoftBounce' })).toEqual(['bounced_soft']);
  expect(kinds({ ...bounce, Type: 'AutoResponder' })).toEqual([]);
  expect(kinds({ ...bounce, RecordType: 'SpamComplaint', Type: 'SpamComplaint' })).toEqual(['complained']);
  const change = {
    RecordType: 'SubscriptionChange',
    Recipient: 'john@example.com',
    ChangedAt: '2026-11-30T13:28:10Z',
  };
  expect(kinds({ ...change, SuppressSending: true, SuppressionReason: 'ManualSuppression' })).toEqual([
    'unsubscribed',
  ]);
  expect(kinds({ ...change, SuppressSending: true, SuppressionReason: 'HardBounce' })).toEqual([]);
  expect(kinds({ ...change, SuppressSending: false, SuppressionReason: null })).toEqual([]);
  const delivery = {
    RecordType: 'Delivery',
    Recipient: 'john@example.com',
    DeliveredAt: '2026-11-30T13:28:10Z',
  };
  expect(kinds(delivery)).toEqual(['delivered']);
  expect(kinds({ RecordType: 'Open', Recipient: 'john@example.com' })).toEqual([]);
});

test('Brevo: single and batched reports become events, with an id made from the report', () => {
  const report = {
    event: 'hard_bounce',
    email: 'john@example.com',
    id: 26_224,
    date: '2026-11-30 18:00:00',
    'message-id': '<201798300811.5787683@smtp-relay.mailin.fr>',
    ts_epoch: 1_796_061_600_000,
    reason: 'unknown user',
  };
  const [event] = read('brevo', plain(report))!;
  expect(event).toEqual({
    kind: 'bounced_hard',
    email: 'john@example.com',
    providerMessageId: '<201798300811.5787683@smtp-relay.mailin.fr>',
    eventId: expect.stringMatching(/^[\w-]{43}$/),
    at: new Date(1_796_061_600_000),
    reason: 'unknown user',
  });
  const list = ['soft_bounce', 'spam', 'unsubscribed', 'delivered', 'request', 'opened', 'constructor'];
  const batch = read('brevo', plain([report, ...list.map((name) => ({ ...report, event: name }))]))!;
  expect(batch.map(({ kind }) => kind)).toEqual([
    'bounced_hard',
    'bounced_soft',
    'complained',
    'unsubscribed',
    'delivered',
  ]);
  expect(batch[0]).toEqual(event);
  expect(new Set(batch.map(({ eventId }) => eventId)).size).toBe(5);
});

test('Resend: bounces, suppressions, complaints and deliveries become events with the id of the message', () => {
  const events = (type: string, data: object = {}): MailEvent[] | undefined => {
    const body = JSON.stringify({
      type,
      created_at: '2026-12-01T16:59:00.000Z',
      data: { email_id: '56761188-7520-42d8-8898-ff6fc54ce618', to: ['john@example.com'], ...data },
    });
    const headers: ReportRequest['headers'] = { ...svix.headers, 'svix-timestamp': '1796144400' };
    const signature = createHmac('sha256', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))
      .update(`${headers['svix-id']}.${headers['svix-timestamp']}.${body}`)
      .digest('base64');
    const request = { headers: { ...headers, 'svix-signature': `v1,${signature}` }, body: Buffer.from(body) };
    return read('resend', { ...svix, ...request, now: new Date('2026-12-01T17:00:00Z') });
  };
  const bounce = { bounce: { type: 'Permanent', subType: 'General', message: 'hard bounce' } };
  expect(events('email.bounced', bounce)).toEqual([
    {
      kind: 'bounced_hard',
      email: 'john@example.com',
      providerMessageId: '56761188-7520-42d8-8898-ff6fc54ce618',
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date('2026-12-01T16:59:00Z'),
      reason: 'hard bounce',
    },
  ]);
  const kinds = (type: string, data?: object): string[] => events(type, data)!.map(({ kind }) => kind);
  expect(kinds('email.bounced', { bounce: { type: 'Transient' } })).toEqual(['bounced_soft']);
  expect(kinds('email.suppressed')).toEqual(['bounced_hard']);
  expect(kinds('email.complained')).toEqual(['complained']);
  expect(kinds('email.delivered')).toEqual(['delivered']);
  expect(kinds('email.opened')).toEqual([]);
});

test('a body that is no report is refused, and a report without a usable address is passed over', () => {
  for (const id of ['postmark', 'brevo'] as const) {
    for (const body of [
      '',
      'no json',
      '1',
      'null',
      '[1]',
      '[[]]',
      JSON.stringify(Array.from({ length: 1001 }, () => ({}))),
    ])
      expect(read(id, plain(body)), `${id} ${body.slice(0, 20)}`).toBeUndefined();
    for (const email of [undefined, 1, {}, 'a@example.com\r\nBcc: b@example.com', 'a,b@example.com'])
      expect(
        read(id, plain({ RecordType: 'Delivery', event: 'delivered', email, Email: email })),
        id,
      ).toEqual([]);
  }
  const odd = {
    event: 'spam',
    email: 'a@example.com',
    ts_epoch: 'x',
    reason: { a: 1 },
    'message-id': 'x'.repeat(999),
  };
  expect(read('brevo', plain(odd))).toMatchObject([
    { at: new Date('2026-12-01T17:00:00Z'), reason: undefined, providerMessageId: 'x'.repeat(300) },
  ]);
});

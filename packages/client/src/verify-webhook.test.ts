import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signingKeys, signStandard } from '@service/signing';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const otherSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const seconds = 1_614_265_330;
const now = new Date(seconds * 1000);

const headersOf = (body: string, ...secrets: string[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(seconds),
  'webhook-signature': secrets
    .map((one) => signStandard(signingKeys(one).standard, { id, timestampSeconds: seconds, body }))
    .join(' '),
});

test('the known answer of Standard Webhooks is accepted', async () => {
  const headers = new Headers({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  const event = await verifyWebhook('{"test": 2432232314}', headers, secret, { now });
  expect(event).toEqual({ test: 2432232314 });
});

test('text and bytes verify, with the headers of fetch and those of Node', async () => {
  const body = '{"event_type":"registered","attendee":{"name":"Zoë"}}';
  const headers = headersOf(body, secret);
  const bytes = new TextEncoder().encode(body);
  for (const [given, received] of [
    [body, headers],
    [bytes, new Headers(headers)],
    [bytes, { ...headers, 'webhook-id': [id] }],
  ] as const)
    expect(await verifyWebhook(given, received, secret, { now })).toMatchObject({ event_type: 'registered' });
});

test('during a rotation one matching secret and one matching signature are enough', async () => {
  const both = headersOf('{}', otherSecret, secret);
  await expect(verifyWebhook('{}', both, secret, { now })).resolves.toEqual({});
  await expect(verifyWebhook('{}', headersOf('{}', secret), [otherSecret, secret], { now })).resolves.toEqual(
    {},
  );
  await expect(verifyWebhook('{}', headersOf('{}', secret), otherSecret, { now })).rejects.toThrow(
    WebhookError,
  );
});

test('another body, an old or future time, a missing header and a broken signature are refused', async () => {
  const headers = headersOf('{}', secret);
  const refused = async (changed: object, body = '{}', at = now): Promise<void> =>
    expect(verifyWebhook(body, { ...headers, ...changed }, secret, { now: at })).rejects.toThrow(
      WebhookError,
    );
  await refused({}, '{ }');
  await refused({}, '{}', new Date(now.getTime() + 301_000));
  await refused({}, '{}', new Date(now.getTime() - 301_000));
  await refused({ 'webhook-timestamp': 'soon' });
  await refused({ 'webhook-id': undefined });
  await refused({ 'webhook-signature': 'v1,%%% v1, v2,abc' });
  const signed = headersOf('no json', secret);
  await expect(verifyWebhook('no json', signed, secret, { now })).rejects.toThrow('not JSON');
});

test('a receiver without its secret fails, so that the webhook is sent again', async () => {
  await expect(verifyWebhook('{}', headersOf('{}', secret), '', { now })).rejects.toThrow(TypeError);
});

test('the checks in Python, PHP and Ruby, as far as this machine has them, accept genuine webhooks only', async () => {
  const run = join(import.meta.dirname, '../verify/run.ts');
  // A program of Go is compiled first, which takes a minute on a slow machine.
  const { stdout } = await promisify(execFile)(process.execPath, [run, 'python', 'php', 'ruby']);
  expect(stdout.match(/^\w+ +(passed|not on this machine)$/gm)).toHaveLength(3);
});

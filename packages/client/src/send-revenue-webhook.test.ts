import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signBody } from '@service/signing';
import { expect, onTestFinished, test } from 'vitest';
import { sendRevenueWebhook } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a revenue webhook is signed over its exact bytes, and a refusal names the problem', async () => {
  const received: { signature: unknown; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ signature: request.headers['x-service-signature'], body });
      const isFirst = received.length === 1;
      response.writeHead(isFirst ? 202 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isFirst ? { status: 'accepted', id: 'e1' } : { code: 'unauthorized' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhooks/revenue/a/generic`;
  const event = {
    event_id: 'order_1',
    type: 'purchase' as const,
    email: 'zoë@example.com',
    amount_minor: 7900,
    currency: 'EUR',
    timestamp: '2026-11-22T12:00:00Z',
  };
  expect(await sendRevenueWebhook({ url, secret }, event)).toEqual({ status: 'accepted', id: 'e1' });
  const [first] = received;
  expect(first!.signature).toBe(signBody(secret, first!.body));
  await expect(sendRevenueWebhook({ url, secret }, event)).rejects.toMatchObject({ code: 'unauthorized' });
});

import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sendSamples } from './send-sample-code.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
// RFC 2104, as the header is documented.
const signatureOf = (body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const codeOf = (label: string, url: string, type: 'purchase' | 'refund' = 'purchase'): string =>
  sendSamples(url, type).find((sample) => sample.label === label)!.code;

const purchase = {
  event_id: 'order_1001:paid',
  type: 'purchase',
  email: 'ada@example.com',
  amount_minor: 7900,
  currency: 'EUR',
  original_transaction_id: null,
  timestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/),
};

test('the Node sample sends a signed purchase', async () => {
  const received: { body: string; signature: unknown }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ body, signature: request.headers['x-service-signature'] });
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    const code = codeOf('Node', `http://127.0.0.1:${port}/generic`);
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      env: { SECRET: secret },
    });
  } finally {
    server.close();
  }
  const [{ body, signature }] = received as [(typeof received)[number]];
  expect(JSON.parse(body)).toEqual(purchase);
  expect(signature).toBe(signatureOf(body));
});

test('the curl samples send a signed purchase and its refund', () => {
  // The command prints its arguments instead of sending them.
  const print = (type: 'purchase' | 'refund'): string[] => {
    const code = codeOf('curl', 'https://example.com/generic', type);
    const script = `SECRET='${secret}'\ncurl() { printf '%s\\n' "$@"; }\n${code}`;
    return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  };
  const [sent, refunded] = [print('purchase'), print('refund')];
  const body = sent.at(-1)!;
  expect(JSON.parse(body)).toEqual(purchase);
  expect(sent).toContain(`X-Service-Signature: ${signatureOf(body)}`);
  expect(JSON.parse(refunded.at(-1)!)).toMatchObject({
    event_id: 'order_1001:refund_1',
    type: 'refund',
    amount_minor: -2900,
    original_transaction_id: 'order_1001:paid',
  });
});

test('each sample has the address and the header', () => {
  const url = 'https://example.com/api/webhooks/revenue/account/generic';
  const samples = sendSamples(url, 'refund');
  expect(samples.map(({ label }) => label)).toEqual(['curl', 'Node', 'Python', 'PHP']);
  for (const { code } of samples) {
    expect(code).toContain(url);
    for (const name of ['X-Service-Signature', 'original_transaction_id', 'timestamp'])
      expect(code).toContain(name);
  }
});

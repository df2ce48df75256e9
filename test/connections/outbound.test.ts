// Hosts that owners choose, as in production: no SMTP server and no API address leads to this machine or into a private network.
import { blockedHosts } from '@service/outbound-http/testing';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { refusalWithIssues } from './connections-world.ts';
import { newKey, startMailProvider } from './mail-provider.ts';

const from = { name: '', address: 'ada@example.com' };

test('an SMTP server and an API address on this machine or in a private network are never connected', async () => {
  await using service = await testApi({ strict: true });
  await using provider = await startMailProvider();
  let connected = 0;
  const listener = createServer((socket) => {
    connected += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const account = await createTestAccount(service);
  const refuse = (input: object) =>
    refusalWithIssues({ service, account }, 'connections.connect', { from, ...input });
  for (const [host, what] of blockedHosts) {
    const smtpHost = host.replace(/^\[(.*)\]$/, '$1');
    const smtp = await refuse({ provider: 'smtp', credential: { host: smtpHost, port } });
    expect(
      ['credential_refused', 'provider_unreachable', 'validation_failed'],
      `${host} (${what})`,
    ).toContain(smtp.code);
    const api = await refuse({
      provider: 'resend',
      credential: { key: newKey() },
      baseUrl: `https://${host}:${new URL(provider.url).port}`,
    });
    expect([api.code, Object.keys(api.issues)], `${host} (${what})`).toEqual([
      'validation_failed',
      ['baseUrl'],
    ]);
  }
  const plain = await refuse({
    provider: 'resend',
    credential: { key: newKey() },
    baseUrl: provider.url.replace('127.0.0.1', 'example.com'),
  });
  expect(plain.issues['baseUrl']).toMatch(/https/);
  expect([connected, provider.requests]).toEqual([0, []]);
  listener.close();
});

import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { checkAddress } from './check-address.ts';
import { checkDestination, createOutboundPolicy, createResolver, type SendOutcome } from './index.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { blockedHosts, malformedHosts, publicHosts, blockedNames } from './testing/hosts.ts';
import { startReceiver } from './testing/receiver.ts';
import { createSender, localPolicy, strictPolicy } from './testing/test-sender.ts';

// An address of this machine that no row means. Linux owns the whole of 127.0.0.0/8, others only its first.
const OWN_ADDRESS =
  process.platform === 'linux'
    ? '127.9.9.9'
    : Object.values(networkInterfaces())
        .flat()
        .find((address) => address?.family === 'IPv4' && !address.internal)!.address;

const resolver = createResolver();
const httpsOnly = createOutboundPolicy({ allowedCidrs: [], allowHttp: false });

test.each(blockedHosts)('%s (%s) cannot be saved', async (host) => {
  const verdict = await checkDestination(`https://${host}:8443/hook`, { policy: httpsOnly, resolver });
  expect(verdict).toMatchObject({ ok: false, reason: 'blocked_address' });
});

test('no spelling of a blocked host is dialled when a request is sent', async () => {
  const receiver = await startReceiver((response) => response.end(), { everywhere: true });
  const send = createSender({ policy: strictPolicy });
  for (const [host, what] of blockedHosts) {
    const outcome = await send(`http://${host}:${receiver.port}/hook`);
    expect(outcome, `${host} (${what})`).toMatchObject({ kind: 'failed', failure: 'blocked_address' });
  }
  expect(receiver.connections).toBe(0);
});

test('no spelling of a blocked host is followed in a redirect', async () => {
  const inside = await startReceiver((response) => response.end('secret'), { everywhere: true });
  let location = '';
  const first = await startReceiver((response) => response.writeHead(307, { location }).end(), {
    everywhere: true,
  });
  const policy = createOutboundPolicy({ allowedCidrs: [`${OWN_ADDRESS}/32`], allowHttp: true });
  const send = createSender({ policy });
  const follow = (host: string): Promise<SendOutcome> => {
    location = `http://${host.replaceAll(/[^\x20-\x7E]/g, encodeURIComponent)}:${inside.port}/`;
    return send(`http://${OWN_ADDRESS}:${first.port}/`);
  };
  for (const [host, what] of blockedHosts) {
    expect(await follow(host), `${host} (${what})`).toMatchObject({
      failure: 'blocked_address',
      redirects: [expect.any(String)],
    });
  }
  for (const host of malformedHosts) {
    expect(await follow(host), host).toMatchObject({ failure: 'invalid_redirect', redirects: [] });
  }
  expect(inside.connections).toBe(0);
  expect(await follow(OWN_ADDRESS)).toMatchObject({ snippet: 'secret' });
});

test('a name is neither saved, dialled nor followed when one of its addresses is blocked', async () => {
  const inside = await startReceiver((response) => response.end('secret'), { everywhere: true });
  let location = '';
  const first = await startReceiver((response) => response.writeHead(307, { location }).end(), {
    everywhere: true,
  });
  const answers = new Map(blockedNames);
  const server = await startDnsServer((name) => answers.get(name) ?? []);
  const resolver = createResolver({ servers: [server.address] });
  const policy = createOutboundPolicy({ allowedCidrs: [`${OWN_ADDRESS}/32`], allowHttp: true });
  const send = createSender({ policy, resolver });
  for (const [name, addresses] of blockedNames) {
    const url = `http://${name}:${inside.port}/`;
    const saved = await checkDestination(url, { policy, resolver });
    expect(saved, name).toMatchObject({ ok: false, reason: 'blocked_address' });
    const sent = await send(url);
    expect(sent, name).toMatchObject({ failure: 'blocked_address', redirects: [] });
    location = url;
    const followed = await send(`http://${OWN_ADDRESS}:${first.port}/`);
    expect(followed, name).toMatchObject({ failure: 'blocked_address', redirects: [url] });
    // The message must not contain an address that DNS returned.
    for (const address of addresses)
      expect(JSON.stringify([saved, sent, followed.kind === 'failed' && followed.message])).not.toContain(
        address,
      );
  }
  expect(inside.connections).toBe(0);
  expect(server.questions).toHaveLength(2 * blockedNames.length);
});

test.each(publicHosts)('%s (%s) can be saved', async (host) => {
  const verdict = await checkDestination(`https://${host}/hook`, { policy: httpsOnly, resolver });
  expect(verdict).toMatchObject({ ok: true });
});

test.each(malformedHosts)('the host "%s" is neither saved nor dialled', async (host) => {
  const verdict = await checkDestination(`https://${host}:8443/hook`, { policy: httpsOnly, resolver });
  expect(verdict).toMatchObject({ ok: false, reason: 'invalid_url' });
  const outcome = await createSender({ policy: localPolicy })(`https://${host}:8443/hook`);
  expect(outcome).toMatchObject({ kind: 'failed', failure: 'invalid_url' });
});

test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST.'])(
  '%s is reached when the policy allows its range',
  async (host) => {
    const receiver = await startReceiver((response) => response.end());
    const url = `http://${host}:${receiver.port}/hook`;
    expect(await checkDestination(url, { policy: localPolicy, resolver })).toMatchObject({ ok: true });
    expect(await createSender()(url)).toMatchObject({ kind: 'response', statusCode: 200 });
  },
);

test('localhost is reached when the policy allows one of its two addresses', async () => {
  const receiver = await startReceiver((response) => response.end());
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  const outcome = await createSender({ policy })(`http://localhost:${receiver.port}/hook`);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200 });
});

test('an allowed range opens itself and nothing beside it', () => {
  const policy = createOutboundPolicy({ allowedCidrs: ['10.1.0.0/16', 'fd00:1::/32'], allowHttp: false });
  expect(checkAddress('10.1.2.3', policy)).toBe('allowed');
  expect(checkAddress('::ffff:10.1.2.3', policy)).toBe('allowed');
  expect(checkAddress('10.2.0.0', policy)).toBe('blocked');
  expect(checkAddress('fd00:1::5', policy)).toBe('allowed');
  expect(checkAddress('fd00:2::5', policy)).toBe('blocked');
});

test('what is not an address is blocked', () => {
  for (const text of ['', 'example.com', '1.2.3.4.5', '8.8.8.8/32', ' ']) {
    expect(checkAddress(text, strictPolicy)).toBe('blocked');
  }
});

test('every bad range of the allow list is named in one error', () => {
  const allowedCidrs = ['10.0.0.0/8', '10.0.0.1', '127.1/8', 'fd00::/129', '::ffff:10.0.0.0/104', 'nonsense'];
  expect(() => createOutboundPolicy({ allowedCidrs, allowHttp: false })).toThrow(
    '"10.0.0.1", "127.1/8", "fd00::/129", "::ffff:10.0.0.0/104", "nonsense"',
  );
});

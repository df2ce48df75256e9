import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createResolver } from './index.ts';
import { startDnsServer } from './testing/dns-server.ts';

test('IPv4 and IPv6 addresses come together, IPv4 first', async () => {
  const server = await startDnsServer(() => ['2001:db8::1', '192.0.2.1', '192.0.2.2']);
  const resolver = createResolver({ servers: [server.address] });
  expect(await resolver.resolve('both.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
});

test('a name with addresses of one family only resolves to them', async () => {
  const server = await startDnsServer((name) => (name === 'four.example' ? ['192.0.2.1'] : ['2001:db8::1']));
  const resolver = createResolver({ servers: [server.address] });
  expect(await resolver.resolve('four.example')).toEqual(['192.0.2.1']);
  expect(await resolver.resolve('six.example')).toEqual(['2001:db8::1']);
});

test('an answer is cached for many deliveries', async () => {
  const server = await startDnsServer(() => ['192.0.2.1']);
  const resolver = createResolver({ servers: [server.address] });
  await Promise.all([resolver.resolve('busy.example'), resolver.resolve('busy.example')]);
  await resolver.resolve('BUSY.example.');
  expect(server.questions).toEqual(['busy.example', 'busy.example']);
});

test('without a cache every lookup asks DNS', async () => {
  let turn = 0;
  const server = await startDnsServer(() => [`192.0.2.${turn}`]);
  const resolver = createResolver({ servers: [server.address], cacheSeconds: 0 });
  for (turn = 1; turn < 4; turn++)
    expect(await resolver.resolve('flip.example')).toEqual([`192.0.2.${turn}`]);
});

test('an unknown name and a server without an answer have different errors', async () => {
  const server = await startDnsServer((name) => (name === 'silent.example' ? 'silence' : []));
  const resolver = createResolver({ servers: [server.address], timeoutMs: 150 });
  await expect(resolver.resolve('none.example')).rejects.toMatchObject({ code: 'no_such_name' });
  await expect(resolver.resolve('silent.example')).rejects.toMatchObject({ code: 'dns_timeout' });
});

test('a failed lookup is remembered, but only for a moment', async () => {
  let addresses: string[] = [];
  const server = await startDnsServer(() => addresses);
  const resolver = createResolver({ servers: [server.address], cacheSeconds: 0.1 });
  await expect(resolver.resolve('new.example')).rejects.toMatchObject({ code: 'no_such_name' });
  addresses = ['192.0.2.1'];
  await expect(resolver.resolve('new.example')).rejects.toMatchObject({ code: 'no_such_name' });
  await expect.poll(() => resolver.resolve('new.example').catch(() => [])).toEqual(['192.0.2.1']);
});

test('localhost and the names below it are loopback without DNS', async () => {
  const server = await startDnsServer(() => ['192.0.2.1']);
  const resolver = createResolver({ servers: [server.address] });
  for (const name of ['localhost', 'LocalHost.', 'app.localhost']) {
    expect(await resolver.resolve(name)).toEqual(['127.0.0.1', '::1']);
  }
  expect(server.questions).toEqual([]);
});

test('names of the hosts file come before DNS, and a changed file is read again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  writeFileSync(
    hostsFile,
    '# ours\n10.0.0.7\tReceiver.internal receiver # the receiver\nfd00::7 receiver.internal\n',
  );
  const server = await startDnsServer(() => ['192.0.2.1']);
  const resolver = createResolver({ servers: [server.address], hostsFile });
  expect(await resolver.resolve('receiver.INTERNAL')).toEqual(['10.0.0.7', 'fd00::7']);
  expect(await resolver.resolve('receiver')).toEqual(['10.0.0.7']);
  expect(await resolver.resolve('ours')).toEqual(['192.0.2.1']);
  writeFileSync(hostsFile, '10.0.0.8 receiver.internal\n');
  await expect.poll(() => resolver.resolve('receiver.internal'), { timeout: 3000 }).toEqual(['10.0.0.8']);
});

test('a machine without a hosts file still resolves', async () => {
  const server = await startDnsServer(() => ['192.0.2.1']);
  const resolver = createResolver({ servers: [server.address], hostsFile: '/nonexistent/hosts' });
  expect(await resolver.resolve('some.example')).toEqual(['192.0.2.1']);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkDestination, createOutboundPolicy, createResolver } from './index.ts';
import { certificate, expiredCertificate } from './testing/certificate.ts';
import { startDnsServer } from './testing/dns-server.ts';
import { startReceiver } from './testing/receiver.ts';
import { createSender, createTableResolver, localPolicy, strictPolicy } from './testing/test-sender.ts';

const PUBLIC = '93.184.215.14';

test('a name that changes from public to private between check and connect is not connected to', async () => {
  const receiver = await startReceiver((response) => response.end());
  const resolver = createTableResolver({ 'flip.example': [[PUBLIC], ['127.0.0.1']] });
  const url = `http://flip.example:${receiver.port}/hook`;

  expect(await checkDestination(url, { policy: strictPolicy, resolver })).toMatchObject({ ok: true });
  const outcome = await createSender({ policy: strictPolicy, resolver })(url);

  expect(outcome).toMatchObject({ kind: 'failed', failure: 'blocked_address' });
  expect(resolver.calls).toBe(2);
  expect(receiver.connections).toBe(0);
});

test('one connection resolves its name once, so that checked and used addresses are the same', async () => {
  const receiver = await startReceiver((response) => response.end());
  const resolver = createTableResolver({ 'flip.example': [['127.0.0.1'], ['10.0.0.1']] });
  const outcome = await createSender({ resolver })(`http://flip.example:${receiver.port}/hook`);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200 });
  expect(resolver.calls).toBe(1);
});

test('the same with a real DNS server', async () => {
  const receiver = await startReceiver((response) => response.end());
  let address = PUBLIC;
  const server = await startDnsServer(() => [address]);
  const resolver = createResolver({ servers: [server.address], cacheSeconds: 0 });
  const url = `http://rebind.example:${receiver.port}/hook`;
  expect(await checkDestination(url, { policy: strictPolicy, resolver })).toMatchObject({ ok: true });
  address = '127.0.0.1';
  expect(await createSender({ policy: strictPolicy, resolver })(url)).toMatchObject({
    failure: 'blocked_address',
  });
  expect(receiver.connections).toBe(0);
});

test('when the first address refuses, the next checked one is tried', async () => {
  const receiver = await startReceiver((response) => response.end());
  const resolver = createTableResolver({ 'two.example': [['127.0.0.2', '127.0.0.1']] });
  const outcome = await createSender({ resolver })(`http://two.example:${receiver.port}/`);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200 });
});

test('over TLS the server name and the Host header stay the name of the URL', async () => {
  const receiver = await startReceiver((response) => response.end(), { tls: true });
  const resolver = createTableResolver({ 'receiver.test': [['127.0.0.1']] });
  const send = createSender({ resolver, ca: certificate });
  const outcome = await send(`https://receiver.test:${receiver.port}/hook`);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200 });
  expect(receiver.requests[0]).toMatchObject({
    servername: 'receiver.test',
    headers: { host: `receiver.test:${receiver.port}` },
  });
});

test('a certificate that is not trusted, or is for another name, is a TLS failure', async () => {
  const receiver = await startReceiver((response) => response.end(), { tls: true });
  const resolver = createTableResolver({
    'receiver.test': [['127.0.0.1']],
    'other.test': [['127.0.0.1']],
  });
  const untrusted = await createSender({ resolver })(`https://receiver.test:${receiver.port}/`);
  expect(untrusted).toMatchObject({
    failure: 'tls',
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  });
  const otherName = await createSender({ resolver, ca: certificate })(`https://other.test:${receiver.port}/`);
  expect(otherName).toMatchObject({ failure: 'tls', message: expect.stringContaining('ALTNAME') });
  expect(receiver.requests).toEqual([]);
});

test('a certificate that has expired is a TLS failure', async () => {
  const cert = expiredCertificate;
  const receiver = await startReceiver((response) => response.end(), { tls: true, cert });
  const resolver = createTableResolver({ 'receiver.test': [['127.0.0.1']] });
  const outcome = await createSender({ resolver, ca: cert })(`https://receiver.test:${receiver.port}/`);
  expect(outcome).toMatchObject({ failure: 'tls', message: expect.stringContaining('CERT_HAS_EXPIRED') });
  expect(receiver.requests).toEqual([]);
});

test('plain http is refused at send time unless the policy allows it', async () => {
  const receiver = await startReceiver((response) => response.end());
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: false });
  expect(await createSender({ policy })(receiver.url)).toMatchObject({
    kind: 'failed',
    failure: 'invalid_url',
  });
  expect(receiver.connections).toBe(0);
});

test('requests one after the other share one connection', async () => {
  const receiver = await startReceiver((response) => response.end('ok'));
  const send = createSender({ policy: localPolicy });
  for (let count = 0; count < 5; count++) {
    expect(await send(receiver.url)).toMatchObject({ statusCode: 200 });
    await nextTurn();
  }
  expect(receiver.requests).toHaveLength(5);
  expect(receiver.connections).toBe(1);
});

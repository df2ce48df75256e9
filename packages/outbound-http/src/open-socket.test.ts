import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createResolver, createSocketOpener, type OutboundPolicy, type Resolver } from './index.ts';
import { blockedHosts, blockedNames } from './testing/hosts.ts';
import { startTcpServer } from './testing/receiver.ts';
import { createTableResolver, localPolicy, strictPolicy } from './testing/test-sender.ts';

const signal = new AbortController().signal;
const opener = (policy: OutboundPolicy, resolver: Resolver = createTableResolver({})) =>
  createSocketOpener({ policy, resolver, connectTimeoutMs: 1000 });

test('every spelling of a forbidden address is refused without a connection', async () => {
  let connections = 0;
  const port = await startTcpServer(() => connections++);
  const open = opener(strictPolicy, createResolver());
  for (const [host, what] of [...blockedHosts, ['::1', 'IPv6 loopback without brackets'] as const])
    await expect(open({ host, port, signal }), what).rejects.toMatchObject({ failure: 'blocked_address' });
  expect(connections).toBe(0);
});

test('a name with a forbidden address is refused, also after it was allowed once', async () => {
  let connections = 0;
  const port = await startTcpServer(() => connections++);
  for (const [host, addresses] of blockedNames) {
    const open = opener(strictPolicy, createTableResolver({ [host]: [addresses] }));
    const opening = open({ host, port, signal });
    await expect(opening, host).rejects.toMatchObject({
      failure: 'blocked_address',
      message: `${host} points to a private or reserved address.`,
    });
  }
  const flips = createTableResolver({ 'mail.example': [['127.0.0.1'], ['10.0.0.1']] });
  const open = opener(localPolicy, flips);
  (await open({ host: 'mail.example', port, signal })).destroy();
  await expect(open({ host: 'mail.example', port, signal })).rejects.toMatchObject({
    failure: 'blocked_address',
  });
});

test('a socket is connected to the host and port', async () => {
  const port = await startTcpServer((socket) => socket.write('220 mail.example ESMTP\r\n'));
  const open = opener(localPolicy, createTableResolver({ 'mail.example': [['127.0.0.2', '127.0.0.1']] }));
  for (const host of ['mail.example', '127.0.0.1']) {
    const socket = await open({ host, port, signal });
    expect(String((await once(socket, 'data'))[0])).toContain('220 ');
    socket.destroy();
  }
});

test('each kind of missing connection has its own failure, without an address', async () => {
  const open = opener(localPolicy, createTableResolver({ 'mail.example': [['127.0.0.1']] }));
  await expect(open({ host: 'nowhere.example', port: 465, signal })).rejects.toMatchObject({
    failure: 'dns',
  });
  await expect(open({ host: 'mail.example', port: 1, signal })).rejects.toMatchObject({
    failure: 'connect',
    message: 'No connection could be made (ECONNREFUSED).',
  });
  for (const host of ['', 'mail.example/path', 'user@mail.example'])
    await expect(open({ host, port: 465, signal }), host).rejects.toMatchObject({ failure: 'invalid_url' });
  await expect(open({ host: 'mail.example', port: 0, signal })).rejects.toMatchObject({
    failure: 'invalid_url',
  });
});

test('a name server without an answer, and a caller who aborts, end the opening', async () => {
  const silent: Resolver = { resolve: () => new Promise(() => undefined) };
  const open = createSocketOpener({ policy: localPolicy, resolver: silent, connectTimeoutMs: 20 });
  await expect(open({ host: 'mail.example', port: 465, signal })).rejects.toMatchObject({
    failure: 'connect',
    message: 'No connection could be made in time.',
  });
  const caller = new AbortController();
  const opening = opener(localPolicy, silent)({ host: 'mail.example', port: 465, signal: caller.signal });
  caller.abort(new Error('the worker stops'));
  await expect(opening).rejects.toThrow('the worker stops');
});

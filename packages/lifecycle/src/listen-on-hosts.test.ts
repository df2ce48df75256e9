import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { listenOnHosts, type Listening } from './listen-on-hosts.ts';

const create = () => createServer((_request, response) => response.end('ok'));

const closeAll = ({ servers }: Listening) =>
  Promise.all(servers.map((server) => once(server.close(), 'close')));

/** A server on a machine that has no IPv6. */
function createWithoutIpv6(): Server {
  const server = create();
  const listen = server.listen.bind(server) as (options: { host?: string }) => Server;
  server.listen = ((options: { host?: string }) => {
    if (!options.host?.includes(':')) return listen(options);
    const error = Object.assign(new Error(`listen EADDRNOTAVAIL ${options.host}`), { code: 'EADDRNOTAVAIL' });
    process.nextTick(() => server.emit('error', error));
    return server;
  }) as Server['listen'];
  return server;
}

const hasIpv6 = Object.values(networkInterfaces()).some((entries) =>
  entries?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('localhost listens on both loopback addresses with one port', async () => {
  const listening = await listenOnHosts({ createServer: create, hosts: ['localhost', '127.0.0.1'], port: 0 });
  expect(listening.addresses).toEqual(['127.0.0.1', '::1']);
  for (const server of listening.servers) expect((server.address() as AddressInfo).port).toBe(listening.port);
  await closeAll(listening);
});

test('without IPv6 localhost is 127.0.0.1, and an explicit ::1 is an error', async () => {
  const listening = await listenOnHosts({ createServer: createWithoutIpv6, hosts: ['localhost'], port: 0 });
  expect(listening.addresses).toEqual(['127.0.0.1']);
  await closeAll(listening);
  const asked = listenOnHosts({ createServer: createWithoutIpv6, hosts: ['127.0.0.1', '::1'], port: 0 });
  await expect(asked).rejects.toThrow('EADDRNOTAVAIL');
});

test.skipIf(!hasIpv6)('a service can listen on all IPv4 and all IPv6 addresses', async () => {
  const listening = await listenOnHosts({ createServer: create, hosts: ['0.0.0.0', '::'], port: 0 });
  expect(listening.addresses).toEqual(['0.0.0.0', '::']);
  await closeAll(listening);
});

// Other systems give 127.0.0.2 to loopback only when asked to.
test.skipIf(process.platform !== 'linux')(
  'when one address is in use no server stays open on the others',
  async () => {
    const other = create().listen(0, '127.0.0.2');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const hosts = ['127.0.0.1', '127.0.0.2'];
    await expect(listenOnHosts({ createServer: create, hosts, port })).rejects.toThrow('EADDRINUSE');
    await once(other.close(), 'close');
    await closeAll(await listenOnHosts({ createServer: create, hosts, port }));
  },
);

// A server listens on one address. A service may need several, such as both loopback addresses. So it has one server for each
// address, with the same handler and port.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  port: number;
  /** The addresses of the servers. */
  addresses: string[];
  servers: Server[];
}

interface ListenOptions {
  /** Creates a server. All servers have the same handler. */
  createServer: () => Server;
  /** Addresses or names. None: all interfaces. */
  hosts: readonly string[];
  /** 0 picks a free one. */
  port: number;
}

interface Address {
  host: string | undefined;
  /** True for ::1 of `localhost`, which a machine without IPv6 does not have. */
  mayBeMissing: boolean;
}

const missingCodes = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Attempts with port 0: the free port of the first address may be in use on another one. */
const freePortTriesMax = 10;

/** Listens on all hosts, or throws when one of them is missing or in use. `localhost` is 127.0.0.1 and ::1. */
export async function listenOnHosts(options: ListenOptions): Promise<Listening> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await listenOnce(options);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (options.port !== 0 || !isTaken || tries === freePortTriesMax) throw error;
    }
  }
}

async function listenOnce({ createServer, hosts, port }: ListenOptions): Promise<Listening> {
  const servers: Server[] = [];
  const addresses: AddressInfo[] = [];
  try {
    for (const { host, mayBeMissing } of addressesOf(hosts)) {
      const server = createServer();
      // `::` as the only host also accepts IPv4. Together with other hosts it must not.
      server.listen({ host, port: addresses[0]?.port ?? port, ipv6Only: hosts.length > 1 });
      try {
        await once(server, 'listening');
      } catch (error) {
        if (mayBeMissing && missingCodes.has((error as NodeJS.ErrnoException).code ?? '')) continue;
        throw error;
      }
      servers.push(server);
      addresses.push(server.address() as AddressInfo);
    }
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return { port: addresses[0]!.port, addresses: addresses.map(({ address }) => address), servers };
}

function addressesOf(hosts: readonly string[]): Address[] {
  if (hosts.length === 0) return [{ host: undefined, mayBeMissing: false }];
  const expanded = [...new Set(hosts)].flatMap((host): Address[] =>
    host === 'localhost'
      ? [
          { host: '127.0.0.1', mayBeMissing: false },
          { host: '::1', mayBeMissing: true },
        ]
      : [{ host, mayBeMissing: false }],
  );
  return expanded.filter(({ host }, index) => expanded.findIndex((other) => other.host === host) === index);
}

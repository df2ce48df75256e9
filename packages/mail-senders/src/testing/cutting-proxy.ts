// Passes bytes between a client and a server of this machine, and breaks the connection after a number of them.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Cut {
  /** The direction whose bytes are counted. */
  side: 'to_server' | 'to_client';
  afterBytes: number;
}

export interface CuttingProxy extends AsyncDisposable {
  port: number;
  /** For each connection from now on. Undefined: nothing is cut. */
  cut: Cut | undefined;
  /** The bytes of the last connection. */
  passed: Record<Cut['side'], number>;
  /** Called with the number of bytes that have passed to the client of the last connection. */
  onBytes: ((passed: number) => void) | undefined;
}

/** Starts a proxy to a port of this machine. The server still reads all bytes before the cut. */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const remember = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const proxy: Omit<CuttingProxy, typeof Symbol.asyncDispose> = {
    port: 0,
    cut: undefined,
    passed: { to_server: 0, to_client: 0 },
    onBytes: undefined,
  };

  const server = createServer((socket) => {
    const client = remember(socket);
    const upstream = remember(connect(serverPort, '127.0.0.1'));
    const { cut } = proxy;
    const passed = (proxy.passed = { to_server: 0, to_client: 0 });
    const pass = (side: Cut['side'], from: Socket, into: Socket): void => {
      from.on('data', (chunk: Buffer) => {
        const room = cut?.side === side ? cut.afterBytes - passed[side] : chunk.length;
        const part = chunk.subarray(0, Math.max(0, room));
        passed[side] += part.length;
        if (part.length > 0) into.write(part);
        proxy.onBytes?.(passed.to_client);
        if (room > chunk.length || cut?.side !== side) return;
        // The server gets an orderly end behind the last bytes, the client a broken connection.
        upstream.end();
        if (side === 'to_client') client.end(() => client.destroy());
        else client.resetAndDestroy();
      });
      from.on('close', () => into.end());
    };
    pass('to_server', client, upstream);
    pass('to_client', upstream, client);
    if (cut?.afterBytes === 0) client.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;
  return Object.assign(proxy, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Throws an error of one line when this port is in use on any address of this machine, and still is after `patienceMs`.
 */
export async function requireFreePort(port: number, patienceMs = 0): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
    let code = await tryListen(port, host);
    while (code === 'EADDRINUSE' && Date.now() < deadline) {
      await delay(50);
      code = await tryListen(port, host);
    }
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is in use. Stop the program that uses it or set PORT.`);
    if (code === 'EACCES') throw new Error(`Port ${port} is reserved for root. Set PORT to 1024 or more.`);
    // Any other code: this machine lacks that address, as without IPv6.
  }
}

async function tryListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer().listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
  server.close();
  await once(server, 'close');
  return undefined;
}

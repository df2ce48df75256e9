import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to outgoing connections and to port 0. A port of that range may be given to another
 * test between this check and the start of the server.
 */
const firstPort = 12_000;
const portsEnd = 32_000;
const triesMax = 20;

/** A free port, for a server that must know its own address before it listens. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(firstPort, portsEnd);
    const server = createServer().listen(port);
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === triesMax) throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below what systems hand out by themselves (Linux from 32768, others from 49152), so that nobody else gets the port
// while the process it is for starts, or is dead and will start again.
const [lowest, highest] = [20_000, 30_000];

/** A port nobody listens on and nobody is given by chance. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const server = createServer();
    try {
      await once(server.listen(port), 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that systems give out by themselves (Linux from 32768, others from 49152), so that no other process gets
// the port while its process starts, or is dead and will start again.
const [lowest, highest] = [20_000, 30_000];

/** A free port that no other process is given by chance. */
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

// A healthy receiver in a process of its own, on several ports. Tells its parent the ports, and its CPU time when asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const portCount = Number(process.argv[2]);
const ports: number[] = [];
for (let index = 0; index < portCount; index += 1) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('ok'));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as AddressInfo).port);
}
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));
process.send!({ ports });

// Receivers in a process of their own, each on a port of its own, that note what comes and when. The path says how they
// answer: /answer/20/... after 20 ms, /refuse/... with 500, /fickle/... at once or, while told to hang, never.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clockMs } from './clock.ts';
import type { Receipt, ReceiverCommand } from './recording-receiver.ts';

let receipts: Receipt[] = [];
let isHanging = false;

process.on('disconnect', () => process.exit(0));
process.on('message', (command: ReceiverCommand) => {
  if (command.kind === 'hang') isHanging = command.isHanging;
  // An answer for either, so that the parent knows that it is so from now on.
  const taken = command.kind === 'take' ? receipts : [];
  if (command.kind === 'take') receipts = [];
  process.send!(taken);
});

const ports: number[] = [];
for (let index = 0; index < Number(process.argv[2]); index += 1) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => receive(request, response));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as AddressInfo).port);
}
process.send!(ports);

function receive(request: IncomingMessage, response: ServerResponse): void {
  receipts.push({ deliveryId: String(request.headers['webhook-id']), atMs: clockMs() });
  const [, kind, waitMs] = request.url!.split('/');
  if (kind === 'fickle' && isHanging) return;
  if (kind === 'refuse') response.statusCode = 500;
  if (kind === 'answer' && waitMs !== '0') setTimeout(() => response.end('ok'), Number(waitMs));
  else response.end('ok');
}

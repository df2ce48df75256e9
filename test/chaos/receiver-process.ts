// A receiver in a process of its own. What it does with a request, the path says:
//   /ok/...                    answers at once
//   /slow/MS/...               answers after MS
//   /hold-first/MS/STATUS[/LATER_MS]  answers the first request of a webhook-id after MS with STATUS, later ones with 200,
//                              at once or after LATER_MS
//   /fail-some/N/...           answers the first request of every Nth webhook-id with 500, all others at once
// It keeps a receipt of every request, in order, and hands them over when asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receipt, ReceiverQuestion } from './receiver.ts';

const keepBodies = process.argv[2] === 'keep-bodies';
const receipts: Receipt[] = [];
const seen = new Set<string>();
let firstOnes = 0;

const server = createServer((request, response) => {
  const id = String(request.headers['webhook-id']);
  const isFirst = !seen.has(id);
  seen.add(id);
  const receipt = createReceipt(request, id);
  receipts.push(receipt);
  response.on('close', () => {
    receipt.endedAt = Date.now();
    receipt.end = response.writableFinished ? 'answered' : 'cut';
  });
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (keepBodies) receipt.body = Buffer.concat(chunks).toString();
    answer(response, receipt.path, isFirst);
  });
});
server.keepAliveTimeout = 60_000;

function createReceipt({ url = '/', headers }: IncomingMessage, id: string): Receipt {
  const kept = keepBodies ? { headers: headers as Record<string, string> } : {};
  const timestampSeconds = Number(headers['webhook-timestamp']);
  return { id, path: url, at: Date.now(), timestampSeconds, ...kept };
}

function answer(response: ServerResponse, path: string, isFirst: boolean): void {
  const [kind, number, status, laterMs = '0'] = path.slice(1).split('/');
  const end = (statusCode: number): void => void response.writeHead(statusCode).end('ok');
  if (kind === 'slow') setTimeout(end, Number(number), 200);
  else if (kind === 'hold-first' && isFirst) setTimeout(end, Number(number), Number(status));
  else if (kind === 'hold-first') setTimeout(end, Number(laterMs), 200);
  else if (kind === 'fail-some' && isFirst && firstOnes++ % Number(number) === 0) end(500);
  else end(200);
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
process.on('message', (question: ReceiverQuestion) => {
  process.send!(question === 'count' ? receipts.length : receipts);
});
process.send!((server.address() as AddressInfo).port);

// Receivers in a process of their own (receiver-process.ts). The path of a request says how it is answered:
//   /slow/MS/...               after MS
//   /refuse/...                with 500
//   /may-hang/...              at once, or never while the parent wants it so
//   /first/MS/STATUS/...       the first request of a webhook-id after MS with STATUS, later ones with 200 at once
//   /fail-some/N/...           the first request of every Nth webhook-id with 500, all others at once
//   /ok/... and anything else  at once
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerParent } from './answering-process.ts';
import { clockMs } from './clock-ms.ts';
import { listen } from './receiver.ts';
import type { Arrival, Receipt, ReceiverOptions, ReceiverQuestion } from './receiver-process.ts';

const receivers = Number(process.argv[2]);
const record = process.argv[3] as ReceiverOptions['record'];
const hasReceipts = record === 'receipts' || record === 'bodies';

let arrivals: Arrival[] = [];
const receipts: Receipt[] = [];
const seen = new Set<string>();
let firstOnes = 0;
let isHanging = false;

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { url = '/', headers } = request;
  const id = String(headers['webhook-id']);
  const chunks: Buffer[] = [];
  if (hasReceipts) receipts.push(createReceipt(request, response, id));
  const receipt = receipts.at(-1);
  if (record === 'bodies') request.on('data', (chunk: Buffer) => chunks.push(chunk));
  else request.resume();
  request.on('end', () => {
    if (record === 'arrivals') arrivals.push({ deliveryId: id, atMs: clockMs() });
    if (record === 'bodies') receipt!.body = Buffer.concat(chunks).toString();
    answer(response, url.slice(1).split('/'), id);
  });
}

function createReceipt(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  id: string,
): Receipt {
  const receipt: Receipt = {
    id,
    path: url,
    at: Date.now(),
    timestampSeconds: Number(headers['webhook-timestamp']),
    ...(record === 'bodies' && { headers: headers as Record<string, string> }),
  };
  response.on('close', () => {
    receipt.endedAt = Date.now();
    receipt.end = response.writableFinished ? 'answered' : 'cut';
  });
  return receipt;
}

function answer(response: ServerResponse, [kind, number, status]: string[], id: string): void {
  const end = (statusCode = 200): void => {
    response.statusCode = statusCode;
    response.end('ok');
  };
  const isFirst = (kind === 'first' || kind === 'fail-some') && rememberId(id);
  if (kind === 'slow') setTimeout(end, Number(number));
  else if (kind === 'refuse') end(500);
  else if (kind === 'first' && isFirst) setTimeout(end, Number(number), Number(status));
  else if (kind === 'fail-some' && isFirst && firstOnes++ % Number(number) === 0) end(500);
  else if (kind !== 'may-hang' || !isHanging) end();
}

/** Returns whether the id is new. */
function rememberId(id: string): boolean {
  const isNew = !seen.has(id);
  seen.add(id);
  return isNew;
}

const answers: Record<ReceiverQuestion, () => unknown> = {
  arrivals() {
    const taken = arrivals;
    arrivals = [];
    return taken;
  },
  count: () => (hasReceipts ? receipts : arrivals).length,
  receipts: () => receipts,
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  hang: () => (isHanging = true),
  answer: () => (isHanging = false),
};

const listening = await Promise.all(Array.from({ length: receivers }, () => listen(receive)));
answerParent(
  listening.map(({ origin }) => origin),
  (question: ReceiverQuestion) => answers[question](),
);

import { verifyWebhook } from '@service/client';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceipts, type WebhookBody } from './receipts.ts';

export type SimulationReceiver = Awaited<ReturnType<typeof startSimulationReceiver>>;

/** The path for the subscription. Its source is the event type. */
export const subscription = 'subscription';

/** A receiver as an integrator writes it: it checks the signature of the raw body, counts the webhook and answers 200 at once. */
export async function startSimulationReceiver() {
  const secrets = new Map<string, string>();
  const receipts = createReceipts();
  let forged = 0;

  const receive = async (
    path: string,
    headers: IncomingMessage['headers'],
    raw: Buffer,
  ): Promise<boolean> => {
    const secret = secrets.get(path);
    const event = secret && (await verifyWebhook(raw, headers, secret).catch(() => undefined));
    if (!event) return false;
    const body = event as WebhookBody;
    receipts.add(path === subscription ? body.event_type : path, String(headers['webhook-id']), body);
    return true;
  };

  const answer = async (response: ServerResponse, received: Promise<boolean>): Promise<void> => {
    const isGenuine = await received;
    if (!isGenuine) forged += 1;
    response.writeHead(isGenuine ? 200 : 401).end();
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = decodeURIComponent((request.url ?? '').slice(1));
      void answer(response, receive(path, request.headers, Buffer.concat(chunks)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    /** The URL for a source. */
    urlOf: (source: string): string => `http://127.0.0.1:${port}/${encodeURIComponent(source)}`,
    /** Adds the secret of a source. */
    trust: (source: string, secret: string): void => void secrets.set(source, secret),
    receipts,
    /** Number of webhooks with a wrong signature. */
    forged: (): number => forged,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

// The payment providers of a shop: they send every webhook until it is acknowledged, some of them again afterwards, and to
// whichever process answers.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { makeSecrets, signatureOf, type Secrets } from '../../support/shop.ts';
import type { Account } from '../world.ts';
import { createOrder, type Order, type Webhook } from './orders.ts';

/** One request with a webhook. */
export interface Sending {
  eventId: string;
  /** By this machine's clock in milliseconds. */
  at: number;
  endedAt: number;
  /** Undefined without an answer. */
  status: number | undefined;
  hasRetryAfter: boolean;
  /** It was sent, and the connection ended without an answer: the event may be stored. */
  wasCut: boolean;
}

export interface Providers {
  orders: readonly Order[];
  sendings: readonly Sending[];
  acknowledged: ReadonlySet<string>;
  /** Makes no more orders. Resolves when everything is acknowledged, or after the limit. */
  settle(limitMs: number): Promise<void>;
}

export interface Doors {
  accountId: string;
  secrets: Secrets;
}

const agentOptions = { connections: 64, headersTimeout: 20_000, bodyTimeout: 20_000 };
const repeatMs = 250;
/** Webhooks of an order are sent within this time, in no order. */
const spreadMs = 3000;
/** One of so many webhooks is sent again after it was acknowledged. */
const againEvery = 3;
const openMax = 200;

export const openDoors = async ({ accountId, mutate }: Account): Promise<Doors> => ({
  accountId,
  secrets: await makeSecrets(mutate),
});

/** One signed request. Throws without an answer. */
export async function sendWebhook(
  { accountId, secrets }: Doors,
  { door, body }: Webhook,
  { origin, agent }: { origin: string; agent: Agent },
): Promise<{ status: number; hasRetryAfter: boolean }> {
  const response = await request(`${origin}/api/webhooks/revenue/${accountId}/${door}`, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...signatureOf(secrets, { provider: door, body }) },
    body,
  });
  await response.body.dump();
  return { status: response.statusCode, hasRetryAfter: response.headers['retry-after'] !== undefined };
}

/** Sells at a constant rate, also while requests fail. */
export function startProviders(doors: Doors, origins: readonly string[], ordersPerSecond: number): Providers {
  const agent = new Agent(agentOptions);
  const run = randomBytes(4).toString('hex');
  const orders: Order[] = [];
  const sendings: Sending[] = [];
  const acknowledged = new Set<string>();
  const open = new Set<Promise<void>>();
  const stopping = new AbortController();
  const ending = new AbortController();
  let turns = 0;

  const sendOnce = async (webhook: Webhook): Promise<boolean> => {
    const at = Date.now();
    turns += 1;
    let wasCut = false;
    const answer = await sendWebhook(doors, webhook, {
      origin: origins[turns % origins.length]!,
      agent,
    }).catch((error: NodeJS.ErrnoException) => {
      wasCut = error.code !== 'ECONNREFUSED';
      return undefined;
    });
    sendings.push({
      eventId: webhook.eventId,
      at,
      endedAt: Date.now(),
      status: answer?.status,
      hasRetryAfter: answer?.hasRetryAfter ?? false,
      wasCut,
    });
    return answer !== undefined && answer.status < 300;
  };

  const sendUntilDone = async (webhook: Webhook): Promise<void> => {
    await delay(Math.random() * spreadMs);
    while (!ending.signal.aborted && !(await sendOnce(webhook))) await delay(repeatMs);
    if (ending.signal.aborted) return;
    acknowledged.add(webhook.eventId);
    if (acknowledged.size % againEvery === 0) await sendOnce(webhook);
  };

  const sell = (): void => {
    const order = createOrder(run, orders.length);
    orders.push(order);
    for (const webhook of order.webhooks) {
      const sent = sendUntilDone(webhook).finally(() => open.delete(sent));
      open.add(sent);
    }
  };

  const keepPace = async (): Promise<void> => {
    const startedAt = performance.now();
    let due = 0;
    while (!stopping.signal.aborted) {
      const planned = ((performance.now() - startedAt) / 1000) * ordersPerSecond;
      for (; due < planned; due += 1) if (open.size < openMax) sell();
      await delay(10);
    }
  };
  const pace = keepPace();
  return {
    orders,
    sendings,
    acknowledged,
    async settle(limitMs) {
      stopping.abort();
      await pace;
      const limit = delay(limitMs, undefined, { ref: false });
      await Promise.race([Promise.all(open), limit]);
      ending.abort();
      await Promise.all(open);
      await agent.destroy();
    },
  };
}

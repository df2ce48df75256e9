// Sends the webhooks of payment providers: again after a failure, some of them twice, and in no order. A shop that cannot sign sends the
// body of a generic webhook with an API key instead, so one event may arrive in both ways.
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { describeFailure, retryAfterMs, type Http, type HttpAnswer } from '../service/http.ts';
import type { RevenueDoors } from '../service/revenue-doors.ts';
import { genericSignature, stripeSignature, type ProviderWebhook } from './provider-webhooks.ts';

export type PaymentProvider = ReturnType<typeof createPaymentProvider>;

export interface SentWebhooks {
  /** Different webhooks, and requests with one. */
  webhooks: number;
  requests: number;
  /** Webhooks without a 2xx in the end, with the last answer. */
  failures: readonly string[];
  /** Ids of generic events that were answered as accepted more than once. */
  acceptedTwice: readonly string[];
}

const triesMax = 8;
const lanes = 4;
const repeatedShare = 0.25;
const byKeyShare = 0.3;

export function createPaymentProvider(http: Http, doors: RevenueDoors & { key: string }, random: Random) {
  const open = new Set<Promise<void>>();
  const postponed: ProviderWebhook[] = [];
  const accepted = new Map<string, number>();
  const failures: string[] = [];
  let webhooks = 0;
  let requests = 0;

  const post = async (
    { door, body }: ProviderWebhook,
    isByKey: boolean,
  ): Promise<HttpAnswer | { error: unknown }> => {
    requests += 1;
    if (isByKey) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${doors.key}` };
      const path = '/api/v1/revenue/events';
      return http.tryCall({ name: 'revenue', method: 'POST', path, headers, body });
    }
    const { path, secret } = doors[door];
    const signature: Record<string, string> =
      door === 'generic'
        ? { 'x-service-signature': genericSignature(secret, body) }
        : { 'stripe-signature': stripeSignature(secret, body, new Date()) };
    const headers = { 'content-type': 'application/json', ...signature };
    return http.tryCall({ name: 'revenue', method: 'POST', path, headers, body });
  };

  /** A provider repeats a webhook until it is acknowledged. */
  const sendOnce = async (webhook: ProviderWebhook): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      // A key has a rate limit, so a repeated event is sent as a webhook.
      const isByKey = tries === 1 && webhook.door === 'generic' && random.chance(byKeyShare);
      const answer = await post(webhook, isByKey);
      const status = 'status' in answer ? answer.status : undefined;
      if ('status' in answer && answer.status < 300) {
        if (isAccepted(answer)) accepted.set(webhook.eventId, (accepted.get(webhook.eventId) ?? 0) + 1);
        return;
      }
      const isRefused = status !== undefined && status < 500 && status !== 429;
      if (isRefused || tries === triesMax)
        return void failures.push(`${webhook.eventId}: ${describeFailure(answer)}`);
      http.noteRetry('revenue', answer);
      await wait(retryAfterMs(answer));
    }
  };

  const timesOf = (): number => (random.chance(repeatedShare) ? random.pick([2, 3]) : 1);

  const track = (work: Promise<void>): void => {
    const tracked: Promise<void> = work.finally(() => open.delete(tracked));
    open.add(tracked);
  };

  return {
    /** Sends a webhook now, one to three times at once. */
    send(webhook: ProviderWebhook): void {
      webhooks += 1;
      for (let times = timesOf(); times > 0; times -= 1) track(sendOnce(webhook));
    },
    /** Keeps a webhook until `flush`. */
    postpone(webhook: ProviderWebhook): void {
      webhooks += 1;
      postponed.push(...Array.from({ length: timesOf() }, () => webhook));
    },
    /** Sends the postponed webhooks in a random order, and waits for all answers. */
    async flush(): Promise<void> {
      const waiting = shuffle(random, postponed.splice(0)).values();
      const lane = async (): Promise<void> => {
        for (const webhook of waiting) await sendOnce(webhook);
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      await Promise.all(open);
    },
    sent: (): SentWebhooks => ({
      webhooks,
      requests,
      failures: [...failures],
      acceptedTwice: [...accepted].filter(([, times]) => times > 1).map(([eventId]) => eventId),
    }),
  };
}

const isAccepted = ({ status, json }: HttpAnswer): boolean =>
  status === 202 || (json as { data?: { status?: string } } | undefined)?.data?.status === 'accepted';

/** Fisher and Yates. */
function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random.next() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}

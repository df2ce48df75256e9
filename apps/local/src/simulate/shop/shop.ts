// The shop behind the offer. Its customers pay through two payment providers.
import type { SimulatedAttendee } from '../attendee/simulated-attendee.ts';
import { createRandom, seedOf } from '../random.ts';
import { createOrder, type Order } from './order.ts';
import type { PaymentProvider, SentWebhooks } from './payment-provider.ts';
import { planPurchase, type PurchasePlan } from './plan-purchase.ts';
import { webhooksOf } from './provider-webhooks.ts';

export type Shop = ReturnType<typeof createShop>;

interface ShopOptions {
  run: string;
  seed: number;
}

/** Buyers who are not registered, of a hundred attendees; at least one. */
const strangersPercent = 3;
/** Different from the seeds of attendees' behaviour. */
const planSeed = 0x5f_0b_1d_a7;

export function createShop(provider: PaymentProvider, { run, seed }: ShopOptions) {
  const orders: Order[] = [];
  const buyers = new Set<string>();

  const take = (order: Order): void => {
    orders.push(order);
    const [first, ...later] = webhooksOf(order);
    if (order.plan.isLate) provider.postpone(first!);
    else provider.send(first!);
    for (const webhook of later) provider.postpone(webhook);
  };

  const buy = (attendee: SimulatedAttendee, plan: PurchasePlan, clickId: string | undefined): void => {
    if (buyers.has(attendee.registrationId)) return;
    buyers.add(attendee.registrationId);
    const { email } = attendee;
    const order = createOrder(`${run}_${orders.length}`, plan, { attendee, clickId, email });
    attendee.actionLog.bought = { currency: plan.price.currency, facts: order.facts };
    take(order);
  };

  const planOf = ({ index }: SimulatedAttendee): PurchasePlan => planPurchaseOf(seed, index);

  return {
    /** A part of all ids at the providers, different in each simulation. */
    run,
    /** An attendee came over the offer's link. Some buy, once. */
    visit(attendee: SimulatedAttendee, clickId: string): void {
      const plan = planOf(attendee);
      if (plan.buys.afterClick) buy(attendee, plan, clickId);
    },
    /** After the session: other attendees buy, and buyers who are not registered. Sends everything that was postponed. */
    async close(attendees: readonly SimulatedAttendee[]): Promise<void> {
      for (const attendee of attendees) {
        const plan = planOf(attendee);
        if (plan.buys.afterSession) buy(attendee, plan, undefined);
      }
      const strangers = Math.max(1, Math.round((attendees.length * strangersPercent) / 100));
      for (let index = 0; index < strangers; index += 1) {
        const plan = planPurchaseOf(seed, attendees.length + index);
        const email = `stranger-${run}-${index}@example.com`;
        take(
          createOrder(`${run}_${orders.length}`, plan, { attendee: undefined, clickId: undefined, email }),
        );
      }
      await provider.flush();
    },
    orders: (): readonly Order[] => orders,
    sent: (): SentWebhooks => provider.sent(),
  };
}

const planPurchaseOf = (seed: number, index: number): PurchasePlan =>
  planPurchase(createRandom(seedOf(seed ^ planSeed, index)));

// Random histories of Stripe in random orders, to two API processes at once, against a model of its own. SEED=n tries others.
import fc from 'fast-check';
import { revenueModule } from '@service/revenue';
import { expect, test } from 'vitest';
import { clearLedger, expectSums } from '../revenue/ledger-reads.ts';
import { postEvent } from '../revenue/sender.ts';
import { arbitraryHistory, eventsOfHistory, type StripeEvent } from '../revenue/stripe-history.ts';
import { modelOf } from '../revenue/stripe-model.ts';
import { startApiProcess } from '../support/api-process.ts';
import { openShop, signatureOf } from '../support/shop.ts';
import { createWorld } from '../support/world.ts';
import { requestsFor, seed } from './judge.ts';

/** 504 of `npm run fuzz`. */
const histories = requestsFor(63);

const dayMs = 86_400_000;

test(
  `${histories} histories of Stripe end in the ledger, the sums and the firings that happened, in every order`,
  { timeout: 120_000 + histories * 5000 },
  async () => {
    await using world = await createWorld();
    const { accountId, service } = world;
    const { database } = service.db;
    const query = async (text: string, values: unknown[] = []) =>
      (await database.pool.query(text, values)).rows;
    const ledger = { accountId, query };
    await world.register('ada@example.com');
    await query(`update attendees.registration set registered_at = now() - interval '5 days'`);
    const { secrets } = await openShop(service, world);
    const starting = [startApiProcess(service.db.url), startApiProcess(service.db.url)];
    await using first = await starting[0]!;
    await using second = await starting[1]!;
    const processes = [first, second];
    const credits = revenueModule
      .repeats({
        database,
        subscriber: service.api.service.subscriber,
        changes: { announce: () => undefined },
      })
      .find(({ name }) => name === 'revenue_credits')!;
    // The first second of a day, so that some payments are described on two days.
    const start = Math.floor((Date.now() - 3 * dayMs) / dayMs) * (dayMs / 1000);
    let checks = 0;

    const clear = async (): Promise<void> => {
      await clearLedger(ledger);
      await query(`delete from attendees.attendee_event where type in ('purchase', 'refund')`);
    };
    const send = async (event: StripeEvent, index: number): Promise<void> => {
      const webhook = { provider: 'stripe', body: JSON.stringify(event) } as const;
      const call = { body: webhook.body, headers: signatureOf(secrets, webhook) };
      const { status } = await postEvent(processes[index % 2]!, `${accountId}/stripe`, call);
      expect(status).toBe(200);
    };
    /** The work of a worker, later than any wait. */
    const work = (): Promise<void> =>
      credits.run(new Date(Date.now() + 61_000), {
        log: service.api.service.log,
        signal: new AbortController().signal,
        onFailure(error) {
          throw error;
        },
      });
    const seen = async () => {
      await work();
      await expectSums(ledger);
      const [payments, [{ waiting, renewals }], fired, totals] = await Promise.all([
        query(`
          select amount_minor::int as amount, currency, refunded_minor::int as refunded,
            charged_back_minor::int as "chargedBack", email from revenue.payment`),
        query(`
          select count(*) filter (where pairing = 'waiting')::int as waiting,
            count(*) filter (where renewal_of is not null and payment_id = id)::int as renewals from revenue.credit`),
        query(`select type, count(*)::int as count from attendees.attendee_event
          where type in ('purchase', 'refund') group by type`),
        query(`
          select dimension, key, day::text, currency, gross_minor, refunds_minor, chargebacks_minor, purchases, refunds,
            chargebacks, renewals_minor, renewals from revenue.total
          where gross_minor <> 0 or refunds_minor <> 0 or chargebacks_minor <> 0 or purchases <> 0 or refunds <> 0
            or chargebacks <> 0
          order by webinar_id, dimension, key, day, currency`),
      ]);
      const countOf = (type: string): number => fired.find((row) => row.type === type)?.count ?? 0;
      const firings = { purchase: countOf('purchase'), refund: countOf('refund') };
      return { ledger: { payments: sorted(payments), waiting, renewals, firings }, totals };
    };

    await fc.assert(
      fc.asyncProperty(
        arbitraryHistory,
        fc.array(fc.nat(1_000_000), { minLength: 80, maxLength: 80 }),
        async (history, numbers) => {
          const model = modelOf(history, 'ada@example.com');
          const expected = { ...model, payments: sorted(model.payments) };
          const events = eventsOfHistory(history, start);
          await clear();
          for (const event of events) await send(event, 0);
          const inOrder = await seen();
          expect(inOrder.ledger).toEqual(expected);

          await clear();
          const numberOf = (index: number): number => numbers[index % numbers.length]!;
          const repeated = events.filter((_event, index) => numberOf(index) % 4 === 0);
          const shuffled = [...events, ...repeated]
            .map((event, index) => ({ event, place: numberOf(index) }))
            .toSorted((a, b) => a.place - b.place);
          await Promise.all(shuffled.map(({ event }, index) => send(event, index)));
          expect(await seen()).toEqual(inOrder);

          await clear();
          for (const [index, { event }] of shuffled.toReversed().entries()) await send(event, index);
          expect(await seen()).toEqual(inOrder);
          // The model, the totals twice, and four comparisons of all sums with the rows after each of three orders.
          checks += 3 + 12 + events.length + 2 * shuffled.length;
        },
      ),
      { numRuns: histories, seed },
    );
    console.log(`${checks} checks with SEED=${seed}`);
  },
);

const sorted = (payments: readonly object[]): string[] =>
  payments
    .map((payment) => JSON.stringify(Object.entries(payment).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted();

import { setTimeout as delay } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { freePort } from '../support/free-port.ts';
import {
  judgeAnswers,
  judgeLedger,
  judgeOutage,
  judgeSums,
  type CurrencySums,
  type LedgerRow,
} from './revenue/judge.ts';
import { openDoors, startProviders } from './revenue/providers.ts';
import { openAccount, type ChaosWorld } from './world.ts';

const ordersPerSecond = 30;
const killEveryMs = 2500;
const outageMs = 4000;
const settleMaxMs = 60_000;

export const revenue: Drill = {
  name: 'revenue',
  summary:
    'Payment providers report orders to two API processes, out of order, and repeat each event until it is acknowledged. One process is ' +
    'killed (-9) every few seconds, so between receipt and answer, and PostgreSQL is stopped for a while. Each event is in the ledger once, ' +
    'none that was acknowledged is lost, and the sums by currency are those of the ledger.',
  seconds: 20,
  async run({ openWorld, say, seconds }) {
    const world = await openWorld({ webinars: 0 });
    const other = await world.startApi({ port: await freePort() });
    let api = await world.startApi();
    const account = await openAccount(other.origin, 'Seller');
    const doors = await openDoors(account);
    const providers = startProviders(doors, [api.origin, other.origin], ordersPerSecond);
    let kills = 0;
    const killFor = async (forMs: number): Promise<void> => {
      for (const endAt = performance.now() + forMs; performance.now() < endAt;) {
        await delay(killEveryMs);
        await api.kill();
        kills += 1;
        say(`${kills} kills`);
        api = await world.startApi();
      }
    };
    await killFor((seconds * 1000) / 2);
    say('without a database');
    await world.postgres.stop();
    const from = Date.now();
    await delay(outageMs);
    const to = Date.now();
    await world.postgres.start();
    await killFor((seconds * 1000) / 2);
    say('draining');
    await providers.settle(settleMaxMs);
    const records = {
      rows: await world.query<LedgerRow>(selectRows, [account.accountId]),
      totals: await world.query<CurrencySums>(selectTotals, [account.accountId]),
      repeats: await countRepeats(world),
    };
    const { orders, sendings } = providers;
    return {
      checks: [
        ...judgeLedger(providers, records),
        ...judgeAnswers(sendings),
        ...judgeSums(records),
        ...judgeOutage(sendings, { from, to }),
      ],
      figures: {
        kills,
        orders: orders.length,
        requests: sendings.length,
        'cut before the answer': sendings.filter(({ wasCut }) => wasCut).length,
      },
    };
  },
};

const selectRows = `
  select array[event.event_id, event.object_id] || event.payment_keys as names, event.type,
    event.amount_minor::text as amount, event.currency, payment.state, credit.id is not null as "hasCredit"
  from revenue.revenue_event event
  left join revenue.credit on credit.account_id = event.account_id and credit.id = event.id
  left join revenue.payment on payment.account_id = credit.account_id and payment.id = credit.payment_id
  where event.account_id = $1`;

const selectTotals = `
  select dimension, currency, sum(gross_minor)::text as gross, sum(refunds_minor)::text as refunds,
    sum(chargebacks_minor)::text as chargebacks
  from revenue.total where account_id = $1 and webinar_id = '00000000-0000-0000-0000-000000000000'
  group by dimension, currency`;

async function countRepeats(world: ChaosWorld): Promise<number> {
  const [row] = await world.query<{ repeats: number }>(
    "select count(*)::int - (select count(*)::int from revenue.revenue_event where type = 'purchase') as repeats from revenue.purchase_description",
  );
  return row!.repeats;
}

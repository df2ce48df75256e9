import { expect, test } from 'vitest';
import { createActionLog, noteClick } from '../attendee/action-log.ts';
import type { SimulatedAttendee } from '../attendee/simulated-attendee.ts';
import type { ComparedEvent, CurrencyTotals } from '../service/revenue-records.ts';
import { createOrder, type Order } from '../shop/order.ts';
import type { Fate, PurchasePlan } from '../shop/plan-purchase.ts';
import { reconcileRevenue, type RevenueRecords } from './reconcile-revenue.ts';

const sent = { webhooks: 0, requests: 0, failures: [], acceptedTwice: [] };
const sold = { sent, webinarId: 'w1', offerId: 'o1' };

const planOf = (fate: Fate): PurchasePlan => ({
  buys: { afterClick: true, afterSession: true },
  door: 'generic',
  names: 'click',
  hasOtherEmail: false,
  fate,
  price: { currency: 'EUR', amountMinor: 1000 },
  isLate: false,
});

/** An attendee who has clicked the offer. */
function createAttendee(): SimulatedAttendee {
  const actionLog = createActionLog();
  noteClick(actionLog, 'offer', 'done');
  return {
    registrationId: 'r1',
    email: 'ada@example.com',
    join: '',
    index: 0,
    plan: { stays: [], actions: [] },
    actionLog,
    openTabs: 0,
    clickUrls: new Map(),
  };
}

const bought = createOrder('run_0', planOf('partly refunded'), {
  attendee: createAttendee(),
  clickId: 'c1',
  email: 'ada@example.com',
});
const strange = createOrder('run_1', planOf('kept'), {
  attendee: undefined,
  clickId: undefined,
  email: 'eve@example.com',
});

const credited: ComparedEvent['credit'] = {
  level: 'offer_click',
  matchedBy: 'click_id',
  reason: null,
  webinarId: 'w1',
  registrationId: 'r1',
  interactionId: 'o1',
};
const uncredited: ComparedEvent['credit'] = {
  level: 'unattributed',
  matchedBy: null,
  reason: 'no_match',
  webinarId: null,
  registrationId: null,
  interactionId: null,
};

const eventsOf = (order: Order, state: ComparedEvent['state']): ComparedEvent[] =>
  order.facts.map(({ type, amountMinor }) => ({
    id: `${type} ${order.id}`,
    type,
    sourceEventId: `${type}_${order.id}`,
    amountMinor,
    currency: 'EUR',
    state,
    credit: order.attendee ? credited : uncredited,
  }));

const totals = (grossMinor: number, refundsMinor: number): Map<string, CurrencyTotals> =>
  new Map([
    [
      'EUR',
      {
        currency: 'EUR',
        grossMinor,
        refundsMinor,
        chargebacksMinor: 0,
        netMinor: grossMinor + refundsMinor,
      },
    ],
  ]);

const right: RevenueRecords = {
  events: [...eventsOf(bought, 'partially_refunded'), ...eventsOf(strange, 'paid')],
  before: totals(500, 0),
  after: totals(2500, -400),
  ofWebinar: totals(1000, -400),
  explanations: new Map([['purchase run_1', ['Nothing is known about this buyer.']]]),
};

const textsOf = (differs: Partial<RevenueRecords>, orders = [bought, strange]): string[] =>
  reconcileRevenue({ ...sold, orders }, { ...right, ...differs }).differences.map(({ text }) => text);

const changed = (change: Partial<ComparedEvent>, index = 0): Partial<RevenueRecords> => ({
  events: right.events.map((event, place) => (place === index ? { ...event, ...change } : event)),
});

test('records that are what was sent have no difference, and a line for each sum', () => {
  const { lines, differences } = reconcileRevenue({ ...sold, orders: [bought, strange] }, right);
  expect(differences).toEqual([]);
  expect(lines.map(({ what, recorded }) => `${what} ${recorded!.found}`)).toEqual([
    'revenue events 3',
    'EUR gross 2000',
    'EUR refunds -400',
    'EUR chargebacks 0',
    'EUR net 1600',
    'EUR credited 600',
  ]);
});

test.each<[string, Partial<RevenueRecords>, RegExp]>([
  [
    'a lost refund',
    { events: right.events.toSpliced(1, 1) },
    /order run_0: events purchase 1000, refund -400 expected/,
  ],
  ['an amount that is off by one', changed({ amountMinor: 999 }), /EUR gross: sent 2000, in the ledger 1999/],
  ['a sum that is off by one', { after: totals(2501, -400) }, /in the summary 2001/],
  [
    'a sum of the webinar without the refund',
    { ofWebinar: totals(1000, 0) },
    /EUR credited: sent 600.* 1000/,
  ],
  ['a payment without its refund', changed({ state: 'paid' }), /state partially_refunded expected/],
  [
    'another registration',
    changed({ credit: { ...credited, registrationId: 'r2' } }),
    /registration r1 expected/,
  ],
  ['a weaker level', changed({ credit: { ...credited, level: 'attended' } }), /level offer_click expected/],
  ['another match', changed({ credit: { ...credited, matchedBy: 'email' } }), /matched by click_id expected/],
  [
    'a refund without the credit of its purchase',
    changed({ credit: uncredited }, 1),
    /level offer_click expected/,
  ],
  ['a credit for a stranger', changed({ credit: credited }, 2), /level unattributed expected/],
  ['no explanation', { explanations: new Map() }, /an explanation expected/],
  [
    'an event that was never sent',
    changed({ sourceEventId: 'purchase_run_9' }, 2),
    /recorded, but never sent/,
  ],
])('%s is a difference', (_what, differs, text) => {
  expect(textsOf(differs).join('\n')).toMatch(text);
});

test('a webhook that was refused, and one that was accepted as new twice, are differences', () => {
  const { differences } = reconcileRevenue(
    { ...sold, orders: [bought, strange], sent: { ...sent, failures: ['a: 422'], acceptedTwice: ['b'] } },
    right,
  );
  expect(differences.map(({ text }) => text)).toEqual(['not accepted: a: 422', 'accepted twice: b']);
});

test('the fates of orders end in the state of their payment, and add up', () => {
  const netOf = (fate: Fate): number =>
    createOrder('run_2', planOf(fate), { attendee: undefined, clickId: undefined, email: '' }).facts.reduce(
      (sum, { amountMinor }) => sum + amountMinor,
      0,
    );
  expect(
    (['kept', 'refunded', 'partly refunded', 'refund failed', 'dispute lost', 'dispute won'] as const).map(
      netOf,
    ),
  ).toEqual([1000, 0, 600, 1000, 0, 1000]);
});

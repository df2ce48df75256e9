// Compares the orders of the shop with the ledger, the credits and the sums of the service, by currency.
import type { ActionLog } from '../attendee/action-log.ts';
import { exactly } from '../count.ts';
import type { ComparedEvent, CurrencyTotals } from '../service/revenue-records.ts';
import { stateOf, type FactType, type Order } from '../shop/order.ts';
import type { SentWebhooks } from '../shop/payment-provider.ts';
import type { Difference } from './differences.ts';
import type { Line, Reconciliation } from './reconcile.ts';

export interface RevenueRecords {
  events: readonly ComparedEvent[];
  /** Sums of the account, before the first purchase and at the end. */
  before: ReadonlyMap<string, CurrencyTotals>;
  after: ReadonlyMap<string, CurrencyTotals>;
  /** Sums of the simulation's webinar. */
  ofWebinar: ReadonlyMap<string, CurrencyTotals>;
  /** Explanations of unattributed events, by their ids. */
  explanations: ReadonlyMap<string, readonly string[]>;
}

interface Sold {
  orders: readonly Order[];
  sent: SentWebhooks;
  webinarId: string;
  offerId: string;
}

const unattributed = 'unattributed';

export function reconcileRevenue(sold: Sold, records: RevenueRecords): Reconciliation {
  const { orders, sent } = sold;
  const currencies = [...new Set(orders.map(currencyOf))].toSorted();
  const unknown = records.events.filter((event) => !orders.some((order) => isOf(event, order)));
  const differences: Difference[] = [
    ...sent.failures.map((text) => ({ what: webhooksLine, text: `not accepted: ${text}` })),
    ...sent.acceptedTwice.map((id) => ({ what: webhooksLine, text: `accepted twice: ${id}` })),
    ...unknown.map(({ sourceEventId }) => ({
      what: webhooksLine,
      text: `recorded, but never sent: ${sourceEventId}`,
    })),
    ...orders.flatMap((order) => orderDifferences(order, sold, records)),
    ...currencies.flatMap((currency) => sumDifferences(currency, sold, records)),
  ];
  const count = (what: string): number => differences.filter((one) => one.what === what).length;
  const facts = orders.flatMap((order) => order.facts).length;
  const lines = [
    line(webhooksLine, facts, records.events.length),
    ...currencies.flatMap((currency) => currencyLines(currency, sold, records)),
  ];
  return { lines: lines.map((one) => ({ ...one, differences: count(one.what) })), differences };
}

const webhooksLine = 'revenue events';

const currencyOf = ({ plan }: Order): string => plan.price.currency;

/** The id of an event at its provider ends with the id of its order. */
const isOf = ({ sourceEventId }: ComparedEvent, { id }: Order): boolean => sourceEventId.endsWith(`_${id}`);

const line = (what: string, done: number, found: number): Omit<Line, 'differences'> => ({
  what,
  done: exactly(done),
  recorded: { expected: exactly(done), found },
  fired: null,
  delivered: null,
});

const sumNames = ['gross', 'refunds', 'chargebacks', 'net'] as const;

/** The net sum has all types. */
const typesOfSum: Readonly<Record<(typeof sumNames)[number], readonly FactType[] | undefined>> = {
  gross: ['purchase'],
  refunds: ['refund', 'refund_reversal'],
  chargebacks: ['chargeback', 'chargeback_reversal'],
  net: undefined,
};

function currencyLines(currency: string, { orders }: Sold, { events }: RevenueRecords) {
  const own = orders.filter((order) => currencyOf(order) === currency);
  const facts = own.flatMap((order) => order.facts);
  const rows = events.filter((event) => event.currency === currency);
  const credited = rows.filter(({ credit }) => credit.level !== unattributed);
  const known = own.filter(({ attendee }) => attendee).flatMap((order) => order.facts);
  return [
    ...sumNames.map((name) =>
      line(`${currency} ${name}`, sumOf(facts, typesOfSum[name]), sumOf(rows, typesOfSum[name])),
    ),
    line(`${currency} credited`, sumOf(known), sumOf(credited)),
  ];
}

const sumOf = (rows: readonly { type: string; amountMinor: number }[], types?: readonly string[]): number =>
  rows
    .filter(({ type }) => types?.includes(type) ?? true)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** The ledger and the summary against the orders, and the credits of the webinar against its summary. */
function sumDifferences(
  currency: string,
  { orders, webinarId }: Sold,
  records: RevenueRecords,
): Difference[] {
  const { events, before, after, ofWebinar } = records;
  const facts = orders.filter((order) => currencyOf(order) === currency).flatMap((order) => order.facts);
  const rows = events.filter((event) => event.currency === currency);
  const ofThis = rows.filter(({ credit }) => credit.webinarId === webinarId);
  const sums: [name: string, sent: number, ledger: number, summary: number][] = [
    ...sumNames.map((name): [string, number, number, number] => [
      name,
      sumOf(facts, typesOfSum[name]),
      sumOf(rows, typesOfSum[name]),
      amountIn(name, after.get(currency)) - amountIn(name, before.get(currency)),
    ]),
    ['credited', sumOf(ofThis), sumOf(ofThis), amountIn('net', ofWebinar.get(currency))],
  ];
  return sums
    .filter(([, sent, ledger, summary]) => sent !== ledger || sent !== summary)
    .map(([name, sent, ledger, summary]) => ({
      what: `${currency} ${name}`,
      text: `${currency} ${name}: sent ${sent}, in the ledger ${ledger}, in the summary ${summary}`,
    }));
}

const amountIn = (name: (typeof sumNames)[number], totals: CurrencyTotals | undefined): number =>
  totals?.[`${name}Minor`] ?? 0;

function orderDifferences(order: Order, sold: Sold, records: RevenueRecords): Difference[] {
  const rows = records.events.filter((event) => isOf(event, order));
  const currency = currencyOf(order);
  const wrong = [
    ...compare('events', listOf(order.facts), listOf(rows)),
    ...rows.flatMap((row) => [
      ...compare('currency', currency, row.currency),
      ...compare('state', stateOf[order.plan.fate], String(row.state)),
      ...(order.attendee
        ? creditDifferences(row, order, sold)
        : unattributedDifferences(row, records.explanations)),
    ]),
  ];
  return wrong.map((text) => ({ what: `${currency} net`, text: `order ${order.id}: ${text}` }));
}

const compare = (what: string, expected: string, found: string): string[] =>
  expected === found ? [] : [`${what} ${expected} expected, recorded ${found}`];

const listOf = (rows: readonly { type: string; amountMinor: number }[]): string =>
  rows
    .map(({ type, amountMinor }) => `${type} ${amountMinor}`)
    .toSorted()
    .join(', ');

const matchOf = { click: 'click_id', registration: 'registration_id', email: 'email' } as const;

/** Refunds and chargebacks have the credit of their purchase. */
function creditDifferences({ credit }: ComparedEvent, order: Order, { webinarId, offerId }: Sold): string[] {
  const { registrationId, actionLog } = order.attendee!;
  const levels = levelsOf(actionLog);
  return [
    ...(levels.includes(credit.level)
      ? []
      : [`level ${levels.join(' or ')} expected, recorded ${credit.level}`]),
    ...compare('matched by', matchOf[order.names], String(credit.matchedBy)),
    ...compare('webinar', webinarId, String(credit.webinarId)),
    ...compare('registration', registrationId, String(credit.registrationId)),
    ...(credit.level === 'offer_click' ? compare('offer', offerId, String(credit.interactionId)) : []),
  ];
}

/** The levels that the attendee's actions allow. More than one when a call had no answer. */
function levelsOf({ clicks, presence }: ActionLog): string[] {
  return [
    ...(clicks.offer.most > 0 ? ['offer_click'] : []),
    ...(clicks.offer.least === 0 && presence.joined.most > 0 ? ['attended'] : []),
    ...(clicks.offer.least === 0 && presence.joined.least === 0 ? ['registered'] : []),
  ];
}

function unattributedDifferences(
  { id, credit }: ComparedEvent,
  explanations: RevenueRecords['explanations'],
): string[] {
  return [
    ...compare('level', unattributed, credit.level),
    ...compare('reason', 'no_match', String(credit.reason)),
    ...((explanations.get(id)?.length ?? 0) > 0 ? [] : ['an explanation expected, found none']),
  ];
}

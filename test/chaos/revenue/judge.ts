// Compares what the providers sent with the ledger, the payments, the credits and the sums. Pure, so that a test can see each rule fail.
import { check, type Check } from '../drill.ts';
import type { Order } from './orders.ts';
import type { Providers, Sending } from './providers.ts';

export interface LedgerRow {
  /** The provider's names of the event and of the refund or dispute, and its names of the payment. One of them ends with the order's id. */
  names: string[];
  type: string;
  /** As PostgreSQL writes a bigint. */
  amount: string;
  currency: string;
  /** Of the payment that it pairs with. */
  state: string | null;
  hasCredit: boolean;
}

/** Sums of the account. Each dimension counts every event. */
export interface CurrencySums {
  dimension: string;
  currency: string;
  gross: string;
  refunds: string;
  chargebacks: string;
}

export interface RevenueRecords {
  rows: readonly LedgerRow[];
  totals: readonly CurrencySums[];
  /** Later descriptions of purchases. */
  repeats: number;
}

export function judgeLedger(
  { orders, acknowledged }: Pick<Providers, 'orders' | 'acknowledged'>,
  { rows, repeats }: RevenueRecords,
): Check[] {
  const rowsById = Map.groupBy(rows, ({ names }) => idIn(names));
  const isRecorded = (order: Order): boolean =>
    same(
      (rowsById.get(order.id) ?? []).map(({ type, amount }) => `${type} ${amount}`),
      order.rows,
    );
  const webhooks = orders.flatMap((order) => order.webhooks);
  const open = webhooks.filter(({ eventId }) => !acknowledged.has(eventId));
  const wrong = orders.filter((order) => !isRecorded(order));
  const described = orders.filter(({ door }) => door === 'stripe').length;
  const known = new Set(orders.map(({ id }) => id));
  const unknown = rows.filter(({ names }) => !known.has(idIn(names)));
  const misstated = orders.filter(({ id, state, currency }) =>
    (rowsById.get(id) ?? []).some((row) => row.state !== state || row.currency !== currency),
  );
  return [
    check(
      'the providers get every event acknowledged in the end',
      webhooks.length > 0 && open.length === 0,
      `${open.length} of ${webhooks.length} were not`,
    ),
    check(
      'the ledger has each purchase, refund and dispute once',
      wrong.length === 0,
      wrong.length === 0 ? `${rows.length} rows of ${orders.length} orders` : describe(wrong[0]!, rowsById),
    ),
    check('the ledger has nothing else', unknown.length === 0, unknown.length),
    check(
      'the second event about each Stripe payment is recorded, and adds no purchase',
      repeats === described,
      `${repeats} of ${described}`,
    ),
    check(
      'each payment has its state, and everything paired with it',
      misstated.length === 0,
      `${misstated.length} have not`,
    ),
  ];
}

const describe = ({ id, rows }: Order, rowsById: ReadonlyMap<string, readonly LedgerRow[]>): string =>
  `${id}: ${rows.join(', ')} expected, found ${(rowsById.get(id) ?? []).map(({ type, amount }) => `${type} ${amount}`).join(', ')}`;

/** The id of the order: the last two parts of the first name that has one. */
const idIn = (names: readonly string[]): string =>
  names.map((name) => /[0-9a-f]{8}_\d+$/.exec(name)?.[0]).find((id) => id !== undefined) ?? '';

const same = (found: readonly string[], expected: readonly string[]): boolean =>
  found.toSorted().join() === expected.join();

export function judgeSums({ rows, totals }: Pick<RevenueRecords, 'rows' | 'totals'>): Check[] {
  const uncredited = rows.filter(({ hasCredit }) => !hasCredit);
  const expected = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    gross: sumOf(own, ['purchase', 'purchase_reversal']),
    refunds: sumOf(own, ['refund', 'refund_reversal']),
    chargebacks: sumOf(own, ['chargeback', 'chargeback_reversal']),
  }));
  const wrong = totals.filter((found) => {
    const sums = expected.find(({ currency }) => currency === found.currency);
    return (
      BigInt(found.gross) !== sums?.gross ||
      BigInt(found.refunds) !== sums.refunds ||
      BigInt(found.chargebacks) !== sums.chargebacks
    );
  });
  const dimensions = new Set(totals.map(({ dimension }) => dimension));
  return [
    check('each row has a credit', uncredited.length === 0, `${uncredited.length} have none`),
    check(
      'the sums by currency are those of the ledger',
      totals.length > 0 && wrong.length === 0 && totals.length === expected.length * dimensions.size,
      wrong.map(({ dimension, currency }) => `${currency} by ${dimension}`).join(', ') ||
        expected.map(({ currency, gross }) => `${currency} ${gross}`).join(', '),
    ),
  ];
}

const sumOf = (rows: readonly LedgerRow[], types: readonly string[]): bigint =>
  rows.filter(({ type }) => types.includes(type)).reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Requests that were sent and answered while there was no database. */
export function judgeOutage(
  sendings: readonly Sending[],
  { from, to }: { from: number; to: number },
): Check[] {
  const during = sendings.filter(
    ({ at, endedAt, status }) => at > from && endedAt < to && status !== undefined,
  );
  const wrong = during.filter(({ status, hasRetryAfter }) => status !== 503 || !hasRetryAfter);
  return [
    check(
      'without a database the door answers 503 with Retry-After',
      during.length > 0 && wrong.length === 0,
      `${wrong.length} of ${during.length} answers were others`,
    ),
  ];
}

/** The generic door answers 202 to the request that stored the event, and 200 afterwards. */
export function judgeAnswers(sendings: readonly Sending[]): Check[] {
  const accepted = sendings.filter(({ status }) => status === 202);
  const twice = accepted.length - new Set(accepted.map(({ eventId }) => eventId)).size;
  const refused = sendings.filter(({ status = 0 }) => status >= 400 && status !== 503 && status !== 429);
  return [
    check(
      'no event was accepted as new twice, so none was lost after its acknowledgement',
      accepted.length > 0 && twice === 0,
      `${twice} of ${accepted.length}`,
    ),
    check(
      'no event was refused',
      refused.length === 0,
      refused.length === 0 ? 'none' : `${refused.length}, first with ${refused[0]!.status}`,
    ),
  ];
}

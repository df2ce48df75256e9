/**
 * A refund, a chargeback and a reversal have their own rows: a row of the ledger never changes. `refund_reversal` takes back a
 * refund that failed, `chargeback_reversal` a dispute that was won, and `purchase_reversal` a purchase that a later event showed
 * to be the same payment as another one, or to have another amount. The ledger itself writes `purchase_reversal`; no provider
 * sends it.
 */
export const revenueEventTypes = [
  'purchase',
  'refund',
  'chargeback',
  'refund_reversal',
  'chargeback_reversal',
  'purchase_reversal',
] as const;

export type RevenueEventType = (typeof revenueEventTypes)[number];

/** A payment is `charged_back` while a chargeback stands, also when it was refunded too. */
export const paymentStates = ['paid', 'partially_refunded', 'refunded', 'charged_back'] as const;

export type PaymentState = (typeof paymentStates)[number];

/** Groups of a report that are times. */
export const periods = ['day', 'week', 'month'] as const;

export type Period = (typeof periods)[number];

/** Groups of a report that are no times: of its credit, or the source of the event. */
export const breakdowns = ['webinar', 'offer', 'level', 'utmSource', 'source'] as const;

export type Breakdown = (typeof breakdowns)[number];

// Intl is no source for these digits: it has those of cash, and they differ between versions of Node and of browsers. So an amount in
// HUF or IDR would be a hundred times as large as it is. https://www.six-group.com/en/products-services/financial-information/data-standards.html
const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

/** The digits of a currency after the decimal point, by ISO 4217: 2 for EUR, 0 for JPY, 3 for KWD. `code` is in upper case. */
export const currencyDigits = (code: string): number =>
  without.includes(code) ? 0 : withThree.includes(code) ? 3 : 2;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** True for a currency code of ISO 4217 in upper case, also for one that is not in use any more. */
export const isCurrency = (code: string): boolean => currencies.has(code);

// Arbitrary payments of a few buyers, as two providers report them.
import fc from 'fast-check';
import type { RevenueFact } from '@service/revenue';
import { at, reversal } from './ledger-world.ts';

/** Seconds after the registrations, from the same moment to a time outside of the window. Few, so that times are equal often. */
const times = fc.constantFrom(0, 1, 3600, 86_400, 40 * 86_400);
const amounts = fc.constantFrom(0, 500, 1000, 1000);

const payment = fc.record({
  // Refunds of the generic provider are inferred more often.
  provider: fc.constantFrom('stripe', 'generic', 'generic'),
  buyer: fc.constantFrom('ada@example.com', 'ada@example.com', 'bob@example.com', 'stranger@example.com'),
  currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
  amountMinor: amounts,
  second: times,
  /** Only of Stripe: the objects that it reports. Without the intent, checkout and charge are two payments. */
  reports: fc.subarray(['cs', 'pi', 'ch'] as const, { minLength: 1 }),
  hasSharedName: fc.boolean(),
  namesRegistration: fc.boolean(),
  adjustments: fc.array(
    fc.record({
      type: fc.constantFrom('refund', 'chargeback'),
      amountMinor: amounts,
      second: times,
      name: fc.constantFrom('payment', 'shared', 'unknown', 'none', 'none'),
      isReversed: fc.boolean(),
      isRepeated: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

type Payment = (typeof payment extends fc.Arbitrary<infer Value> ? Value : never) & {
  registrationId: string;
};

/** The facts of up to five payments, and an order of them with repeats. */
export const arbitraryFacts = (registrationId: string) =>
  fc
    .array(payment, { minLength: 2, maxLength: 5 })
    .map((payments) => payments.flatMap((each, index) => factsOfPayment({ ...each, registrationId }, index)));

function factsOfPayment(payment: Payment, index: number): RevenueFact[] {
  const purchases =
    payment.provider === 'stripe' ? stripeReports(payment, index) : [genericPurchase(payment, index)];
  return [...purchases, ...adjustmentsOf(payment, index)];
}

const base = ({ provider, currency, amountMinor }: Payment) => ({
  provider,
  currency,
  amountMinor,
  type: 'purchase' as const,
  clickId: null,
  registrationId: null,
});

/** The objects of one payment. Each knows something that the others do not, and the charge is the earliest. */
function stripeReports(payment: Payment, index: number): RevenueFact[] {
  const { buyer, namesRegistration, registrationId, second } = payment;
  const [cs, pi, ch] = [`cs_${index}`, `pi_${index}`, `ch_${index}`];
  const reports = {
    cs: {
      ...base(payment),
      objectId: cs,
      email: buyer,
      paymentKeys: [pi, cs],
      occurredAt: at(second + 2),
      registrationId: namesRegistration ? registrationId : null,
    },
    pi: { ...base(payment), objectId: pi, email: null, paymentKeys: [pi, ch], occurredAt: at(second + 1) },
    ch: {
      ...base(payment),
      objectId: ch,
      email: 'bob@example.com',
      paymentKeys: [ch],
      occurredAt: at(second),
    },
  };
  return payment.reports.map((name) => ({ ...reports[name], eventId: `evt ${reports[name].objectId}` }));
}

const genericPurchase = (payment: Payment, index: number): RevenueFact => ({
  ...base(payment),
  eventId: `g_${index}`,
  objectId: `g_${index}`,
  email: payment.buyer,
  paymentKeys: [`g_${index}`],
  ...(payment.hasSharedName && { sharedKeys: ['subscription'] }),
  occurredAt: at(payment.second),
  registrationId: payment.namesRegistration ? payment.registrationId : null,
});

function adjustmentsOf(payment: Payment, index: number): RevenueFact[] {
  const own = payment.provider === 'stripe' ? [`pi_${index}`, `ch_${index}`] : [`g_${index}`];
  const keys = { payment: own, shared: ['subscription'], unknown: ['never paid'], none: [] };
  return payment.adjustments.flatMap(
    ({ type, second, amountMinor, name, isReversed, isRepeated }, number) => {
      const objectId = `${type} ${index} ${number}`;
      const fact: RevenueFact = {
        ...base(payment),
        type,
        eventId: objectId,
        objectId,
        amountMinor: 0 - amountMinor,
        // Stripe names no buyer in refunds. Without any name, the buyer is all there is.
        email: payment.provider === 'stripe' && name !== 'none' ? null : payment.buyer,
        paymentKeys: keys[name],
        occurredAt: at(second),
      };
      return [
        fact,
        // The same refund or dispute under another event id.
        ...(isRepeated ? [{ ...fact, eventId: `${objectId} again` }] : []),
        ...(isReversed ? [reversal(fact)] : []),
      ];
    },
  );
}

/** True for a refund or chargeback that names a purchase which never arrives. */
export const namesNothingKnown = ({ type, paymentKeys }: RevenueFact): boolean =>
  (type === 'refund' || type === 'chargeback') && paymentKeys.includes('never paid');

/** Numbers that order facts, and that decide what is repeated and what is recorded together. */
export const arbitraryOrder = fc.array(fc.nat(1_000_000), { minLength: 64, maxLength: 64 });

/** The facts in an order of the numbers, some of them twice, in batches. */
export function arrange(facts: readonly RevenueFact[], numbers: readonly number[]): RevenueFact[][] {
  const numberOf = (index: number): number => numbers[index % numbers.length]! + index;
  const repeated = facts.filter((_fact, index) => numberOf(index) % 3 === 0);
  const ordered = [...facts, ...repeated]
    .map((fact, index) => ({ fact, place: (numberOf(index) * 7919) % 1_000_003 }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ fact }) => fact);
  const batches: RevenueFact[][] = [];
  for (let from = 0; from < ordered.length;) {
    const size = 1 + (numberOf(from) % 5);
    batches.push(ordered.slice(from, from + size));
    from += size;
  }
  return batches;
}

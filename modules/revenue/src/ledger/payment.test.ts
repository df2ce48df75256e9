import { expect, test } from 'vitest';
import { isOverRefunded, stateOfPayment } from './payment.ts';

const cases = [
  { paid: 100, refunded: 0, chargedBack: 0, state: 'paid', over: false },
  { paid: 100, refunded: 1, chargedBack: 0, state: 'partially_refunded', over: false },
  { paid: 100, refunded: 99, chargedBack: 0, state: 'partially_refunded', over: false },
  { paid: 100, refunded: 100, chargedBack: 0, state: 'refunded', over: false },
  { paid: 100, refunded: 101, chargedBack: 0, state: 'refunded', over: true },
  { paid: 100, refunded: 0, chargedBack: 1, state: 'charged_back', over: false },
  { paid: 100, refunded: 100, chargedBack: 100, state: 'charged_back', over: true },
  // The reversal of a refund that has not arrived.
  { paid: 100, refunded: -50, chargedBack: 0, state: 'paid', over: false },
  { paid: 0, refunded: 0, chargedBack: 0, state: 'paid', over: false },
  { paid: 0, refunded: 1, chargedBack: 0, state: 'refunded', over: true },
];

test.each(cases)('$paid paid, $refunded refunded and $chargedBack charged back is $state', (sums) => {
  const { paid: amountMinor, refunded: refundedMinor, chargedBack: chargedBackMinor, state, over } = sums;
  expect(stateOfPayment({ amountMinor, refundedMinor, chargedBackMinor })).toBe(state);
  expect(isOverRefunded({ amountMinor, refundedMinor, chargedBackMinor })).toBe(over);
});

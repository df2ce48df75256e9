import { currencyDigits } from '@service/catalogue';

/** Currencies whose amounts Stripe writes with other digits than ISO 4217. https://docs.stripe.com/currencies#special-cases */
const stripeDigits: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** An amount of Stripe in minor units of ISO 4217: 500 of ISK is 5. */
export function stripeToMinor(amount: number, currency: string): number {
  const digits = stripeDigits.get(currency);
  return digits === undefined ? amount : Math.round(amount * 10 ** (currencyDigits(currency) - digits));
}

// Money is an integer number of minor units and a currency. Amounts of different currencies are never added.
import { currencyDigits } from '@service/catalogue';

/** The largest amount of one event, in minor units. A sum of 9,000 such amounts is still an exact number. */
export const amountMinorMax = 999_999_999_999;

/** The amount in units of the currency, without a rounding error: -1999 of EUR is "-19.99". For files and logs. */
export function minorToDecimal(amountMinor: bigint | number, currency: string): string {
  const count = currencyDigits(currency);
  const text = BigInt(amountMinor).toString();
  if (count === 0) return text;
  const isNegative = text.startsWith('-');
  const digits = (isNegative ? text.slice(1) : text).padStart(count + 1, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -count)}.${digits.slice(-count)}`;
}

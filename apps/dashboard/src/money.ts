// Prices as people write them. The API counts in the smallest unit of a currency.
import { currencyDigits } from '@service/catalogue';
import { numberFormat } from './intl-formats.ts';

/** Digits after the decimal point. 2 for a code that is not complete yet. */
const digitsOf = (currency: string): number => currencyDigits(currency.toUpperCase());

/** "79.00" of 7900 and "-0.05" of -5 in EUR. Without a division, which would round large amounts. */
export function minorToText(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const sign = minor < 0 ? '-' : '';
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

/** 7900 of "79" or "79.00" in EUR. Undefined if the text is no amount, or has more digits than the currency. */
export function textToMinor(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const match = /^(\d{1,13})(?:[.,](\d+))?$/.exec(text.trim());
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return fraction.length > digits ? undefined : Number(whole + fraction.padEnd(digits, '0'));
}

/** "€79.00", "-¥7,900" */
export function formatMoney(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  return format(minor, currency, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** "€1.2K", for the axis of a chart. */
export const formatMoneyShort = (minor: number, currency: string): string =>
  format(minor, currency, { notation: 'compact', maximumFractionDigits: 1 });

// Intl reads a decimal text exactly.
const format = (minor: number, currency: string, options: Intl.NumberFormatOptions): string =>
  numberFormat({ style: 'currency', currency, ...options }).format(
    minorToText(minor, currency) as Intl.StringNumericLiteral,
  );

/** The codes that the browser knows, for a list to choose from. */
export const currencies = (): string[] => Intl.supportedValuesOf('currency');

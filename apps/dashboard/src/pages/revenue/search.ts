import { breakdowns, paymentStates, periods, revenueEventTypes } from '@service/catalogue';
import * as z from 'zod/mini';
import { optional, text } from '../../search-params.ts';

export const rangeNames = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'last_365_days',
  'all_time',
] as const;

export const RevenueSearch = z.object({
  /** The overview when left out. */
  tab: optional(z.enum(['events', 'unattributed'])),
  /** The last 30 days when left out. */
  range: optional(z.enum(rangeNames)),
  /** Selected bars of the chart, instead of the range: the first and the last day, both or neither. */
  from: optional(z.iso.date()),
  to: optional(z.iso.date()),
  /** The time of a bar. The shortest that has enough room when left out. */
  per: optional(z.enum(periods)),
  webinar: optional(z.guid()),
  /** The currency of the chart and of the groups below it. */
  currency: optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  /** Groups by webinar when left out. */
  by: optional(z.enum(breakdowns)),
  /** The chart as a table. */
  chart: optional(z.enum(['table'])),
  /** Filters of the events. */
  type: optional(z.enum(revenueEventTypes)),
  source: optional(z.string().check(z.regex(/^[a-z0-9_]{1,40}$/))),
  state: optional(z.enum(paymentStates)),
  attributed: optional(z.enum(['yes', 'no'])),
  /** An offer of the webinar. */
  offer: optional(z.guid()),
  /** A whole address. The router reads digits as a number. */
  email: optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.pipe(
        z.transform((value: string | number) => String(value).trim().toLowerCase()),
        z.string().check(z.minLength(1), z.maxLength(320)),
      ),
    ),
  ),
  /** The event whose drawer is open. */
  event: text,
});

export type RevenueSearch = z.output<typeof RevenueSearch>;

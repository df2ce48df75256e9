import * as z from 'zod/mini';
import { moment, optional, text } from '../../search-params.ts';
import { timeRangeNames, timeRanges, type TimeRange } from '../../time-ranges.ts';
import { deliveryStatuses } from './delivery-status.tsx';

/** Classes of status codes, and `none` for tries without an answer. */
export const codeClasses = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

export const defaultRange = 'last_7_days' satisfies TimeRange;

/** The parameters of every list of deliveries. */
export const deliveryFilterParams = {
  status: optional(z.enum(deliveryStatuses)),
  /** An event type. The page drops one that the service does not know. */
  event: optional(z.string().check(z.regex(/^[a-z_]+$/))),
  /** A rule or subscription. */
  endpoint: optional(z.guid()),
  /** A registration. */
  attendee: optional(z.guid()),
  /** A status code or a class of them. The router reads digits as a number. */
  code: optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.pipe(
        z.transform((value: string | number) => String(value)),
        z.string().check(z.regex(/^([2-5]xx|none|[1-5]\d\d)$/)),
      ),
    ),
  ),
  /** The last 7 days when left out. */
  range: optional(z.enum(timeRangeNames)),
  /** A part of the histogram, instead of the range. ISO 8601; both or neither. */
  from: moment,
  to: moment,
  /** The delivery whose drawer is open. */
  delivery: text,
};

const DeliverySearch = z.object(deliveryFilterParams);

export type DeliverySearch = z.output<typeof DeliverySearch>;

/** A change that removes every filter. */
export const noFilters = {
  status: undefined,
  event: undefined,
  endpoint: undefined,
  attendee: undefined,
  code: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
} satisfies DeliverySearch;

export const isFiltered = (search: DeliverySearch): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => search[name] !== undefined);

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The time that a list covers. Without an end it reaches up to now. */
export function spanOf({ range, from, to }: DeliverySearch, nowMs: number): { from: string; to?: string } {
  if (from !== undefined && to !== undefined && from < to) return { from, to };
  const startMs = nowMs - timeRanges[range ?? defaultRange].hours * hourMs;
  return { from: new Date(Math.floor(startMs / minuteMs) * minuteMs).toISOString() };
}

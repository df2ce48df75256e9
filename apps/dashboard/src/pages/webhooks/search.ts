import * as z from 'zod/mini';
import { optional, word } from '../../search-params.ts';
import { orderParam, type SortOrder } from '../../sorting.ts';
import { deliveryFilterParams } from '../delivery/search.ts';
import type { EndpointSource } from '../source/use-sources.ts';

const endpointSorts = ['name', 'waiting', 'oldest', 'success'] as const;

export type EndpointSort = (typeof endpointSorts)[number];

export const WebhooksSearch = z.object({
  ...deliveryFilterParams,
  /** Endpoints when left out. */
  tab: optional(z.enum(['deliveries'])),
  /** Filters of the endpoints. */
  kind: optional(z.enum(['rule', 'webhook'])),
  state: optional(z.enum(['trouble', 'off'])),
  q: word,
  /** Of the endpoints. Those in trouble are first when left out. */
  sort: optional(z.enum(endpointSorts)),
  order: orderParam,
});

export type WebhooksSearch = z.output<typeof WebhooksSearch>;

/** The order that a first press on each column gives: those in trouble are at the top. */
export const firstOrder: Record<EndpointSort, SortOrder> = {
  name: 'asc',
  waiting: 'desc',
  oldest: 'asc',
  success: 'asc',
};

type Value = string | number | null;

const values: Record<EndpointSort, (endpoint: EndpointSource) => Value> = {
  name: ({ name }) => name,
  waiting: ({ waiting }) => waiting,
  oldest: ({ oldestWaitingAt }) => oldestWaitingAt,
  success: ({ successRate }) => successRate,
};

/** Endpoints without a value are last in both orders. Those with the same value stay as they are. */
export function sortEndpoints(
  endpoints: readonly EndpointSource[],
  sort: EndpointSort,
  order: SortOrder = firstOrder[sort],
): EndpointSource[] {
  const valueOf = values[sort];
  const sign = order === 'asc' ? 1 : -1;
  return endpoints.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b);
  return Number(a) - Number(b);
}

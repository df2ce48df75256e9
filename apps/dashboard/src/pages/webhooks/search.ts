import * as z from 'zod/mini';
import { optional, word } from '../../search-params.ts';
import { orderParam } from '../../sorting.ts';
import { deliveryFilterParams } from '../delivery/search.ts';
import { endpointSorts } from './endpoint-order.ts';

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

import * as z from 'zod/mini';
import { optional, word } from '../../search-params.ts';
import { deliveryFilterParams } from '../delivery/search.ts';

export const WebhooksSearch = z.object({
  ...deliveryFilterParams,
  /** Endpoints when left out. */
  tab: optional(z.enum(['deliveries'])),
  /** Filters of the endpoints. */
  kind: optional(z.enum(['rule', 'webhook'])),
  state: optional(z.enum(['trouble', 'off'])),
  q: word,
});

export type WebhooksSearch = z.output<typeof WebhooksSearch>;

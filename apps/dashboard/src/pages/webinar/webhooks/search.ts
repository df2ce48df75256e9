import * as z from 'zod/mini';
import { optional, text } from '../../../search-params.ts';
import { deliveryFilterParams } from '../../delivery/search.ts';

export const WebhooksTabSearch = z.object({
  ...deliveryFilterParams,
  /** The dialog that is open. All but `create` are about one subscription. */
  dialog: optional(z.enum(['create', 'edit', 'rotate', 'off', 'delete'])),
  subscription: text,
});

export type WebhooksTabSearch = z.output<typeof WebhooksTabSearch>;

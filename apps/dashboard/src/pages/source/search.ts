import * as z from 'zod/mini';
import { optional } from '../../search-params.ts';
import { deliveryFilterParams } from '../delivery/search.ts';

export const SourceSearch = z.object({
  ...deliveryFilterParams,
  /** The dialog that is open. `details` is for rules, and the ones after it are for subscriptions. */
  dialog: optional(z.enum(['test', 'recover', 'send-waiting', 'details', 'edit', 'rotate', 'off', 'delete'])),
});

export type SourceSearch = z.output<typeof SourceSearch>;

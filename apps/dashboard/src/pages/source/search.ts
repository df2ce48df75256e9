import * as z from 'zod/mini';
import { optional, text } from '../../search-params.ts';
import { deliveryStatuses } from '../delivery/delivery-status.ts';

export const SourceSearch = z.object({
  /** Filters of the deliveries. */
  status: optional(z.enum(deliveryStatuses)),
  /** An event type. The page drops one that the service does not know. */
  event: optional(z.string().check(z.regex(/^[a-z_]+$/))),
  /** The delivery whose drawer is open. */
  delivery: text,
  /** The dialog that is open. */
  dialog: optional(z.enum(['test', 'recover', 'details'])),
});

export type SourceSearch = z.output<typeof SourceSearch>;

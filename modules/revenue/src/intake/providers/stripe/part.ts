// The facts that a reader takes from the object of an event.
import type { z } from 'zod';
import type { RevenueFact } from '../../../ledger/revenue-fact.ts';
import type { StripeEvent } from './objects.ts';

export type Event = z.output<typeof StripeEvent>;

/** The part of a fact that the object has. */
export type Part = Pick<
  RevenueFact,
  'objectId' | 'type' | 'amountMinor' | 'currency' | 'reverses' | 'kind' | 'mayBeJoined' | 'isDifference'
> & {
  /** The id of the event when left out. One event may have several refunds. */
  eventId?: string;
  keys: readonly (string | null)[];
  /** Those of the keys that several payments may have. */
  joined?: readonly (string | null)[];
  /** The subscription that the payment is of. */
  subscription?: string | null | undefined;
  email?: string | null | undefined;
  clickId?: string | null;
  registrationId?: string | null;
  /** Unix seconds. The time of the event when left out. */
  at?: number;
};

import * as z from 'zod/mini';
import { flag, optional, text, word } from '../../../search-params.ts';
import { orderParam } from '../../../sorting.ts';

export const registrationStatuses = ['registered', 'attending', 'attended', 'no_show', 'cancelled'] as const;
export const registrationSources = ['page', 'api', 'bulk', 'mcp', 'dashboard'] as const;

const day = optional(z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/)));

export const RegistrationsSearch = z.object({
  /** Words of a name or an e-mail address. */
  q: word,
  /** The session whose registrations are shown. */
  session: text,
  status: optional(z.enum(registrationStatuses)),
  source: optional(z.enum(registrationSources)),
  /** The first and the last day of registration, in the reader's time zone. */
  from: day,
  to: day,
  /** An offer, CTA or handout that the attendee has clicked. */
  clicked: optional(z.guid()),
  /** A purchase is credited to the registration, or none is. */
  bought: optional(z.enum(['yes', 'no'])),
  /** Newest first when left out. */
  order: orderParam,
  /** The registration whose drawer is open. */
  registration: text,
  /** The dialog that registers an attendee is open. */
  create: flag,
});

export type RegistrationsSearch = z.output<typeof RegistrationsSearch>;

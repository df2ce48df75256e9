import * as z from 'zod/mini';
import { flag } from '../../../search-params.ts';

export const RegistrationsSearch = z.object({
  /** The dialog that registers an attendee is open. */
  create: flag,
});

export type RegistrationsSearch = z.output<typeof RegistrationsSearch>;

import * as z from 'zod/mini';
import { flag, text } from '../../../search-params.ts';

export const RegistrationsSearch = z.object({
  /** The dialog that registers an attendee is open. */
  create: flag,
  /** The registration whose drawer is open. */
  registration: text,
});

export type RegistrationsSearch = z.output<typeof RegistrationsSearch>;

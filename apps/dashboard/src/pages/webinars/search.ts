import * as z from 'zod/mini';
import { flag } from '../../search-params.ts';

export const WebinarsSearch = z.object({
  /** The create dialog is open. */
  create: flag,
});

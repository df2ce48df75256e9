import * as z from 'zod/mini';
import { flag, optional, word } from '../../search-params.ts';
import { orderParam } from '../../sorting.ts';

export const WebinarsSearch = z.object({
  /** The create dialog is open. */
  create: flag,
  /** A part of the title. */
  q: word,
  status: optional(z.enum(['draft', 'published', 'archived'])),
  kind: optional(z.enum(['standard', 'adaptive'])),
  /** By creation when left out. */
  sort: optional(z.enum(['title', 'createdAt'])),
  order: orderParam,
});

export type WebinarsSearch = z.output<typeof WebinarsSearch>;

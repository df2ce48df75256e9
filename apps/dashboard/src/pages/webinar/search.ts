import * as z from 'zod/mini';
import { text } from '../../search-params.ts';

export const WebinarSearch = z.object({
  /** The delivery whose drawer is open, on any tab. */
  delivery: text,
});

export type WebinarSearch = z.output<typeof WebinarSearch>;

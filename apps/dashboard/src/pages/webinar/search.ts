import * as z from 'zod/mini';
import { text } from '../../search-params.ts';

export const WebinarSearch = z.object({
  /** The delivery whose drawer is open, on any tab. */
  delivery: text,
  /** The field that gets the focus, such as one that prevents publishing. */
  field: text,
});

export type WebinarSearch = z.output<typeof WebinarSearch>;

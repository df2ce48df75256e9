import * as z from 'zod/mini';
import { flag, optional, text } from '../../../search-params.ts';

export const InteractionsSearch = z.object({
  /** The interaction whose panel is open. */
  interaction: text,
  /** The panel shows its results instead of its settings. */
  results: flag,
  /** The panel for a new interaction of this type is open. */
  new: optional(z.enum(['offer', 'cta', 'poll', 'handout'])),
  /** The interaction that a new one is a copy of. */
  copy: text,
  /** The segment of an adaptive webinar whose video is shown. */
  segment: text,
});

export type InteractionsSearch = z.output<typeof InteractionsSearch>;

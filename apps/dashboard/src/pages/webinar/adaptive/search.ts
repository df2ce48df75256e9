import * as z from 'zod/mini';
import { flag, text } from '../../../search-params.ts';

export const AdaptiveSearch = z.object({
  /** The path of a problem, from the publish check: the segment or branch in it is shown. */
  field: text,
  /** The segment whose panel is open. */
  segment: text,
  /** The panel for a new segment is open. */
  newSegment: flag,
  /** The branch whose panel is open. */
  branch: text,
  /** The segment that a new branch leaves; its panel is open. */
  newBranch: text,
});

export type AdaptiveSearch = z.output<typeof AdaptiveSearch>;

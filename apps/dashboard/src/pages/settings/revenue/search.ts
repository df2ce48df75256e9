import * as z from 'zod/mini';
import { text } from '../../../search-params.ts';

export const RevenueSettingsSearch = z.object({
  /** The refused event whose drawer is open. */
  refused: text,
});

export type RevenueSettingsSearch = z.output<typeof RevenueSettingsSearch>;

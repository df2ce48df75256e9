import * as z from 'zod/mini';
import { flag, text } from '../../../search-params.ts';

export const AutomationsSearch = z.object({
  /** The dialog that creates a rule is open. */
  create: flag,
  /** The rule whose drawer is open. */
  rule: text,
});

export type AutomationsSearch = z.output<typeof AutomationsSearch>;

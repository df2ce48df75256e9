import * as z from 'zod/mini';
import { flag, text } from '../../search-params.ts';

export const KeysSearch = z.object({
  create: flag,
  /** The key whose revoke dialog is open. */
  revoke: text,
});

import * as z from 'zod/mini';
import { text } from '../../search-params.ts';

export const SignInSearch = z.object({
  /** The page to open after the sign-in. */
  redirect: text,
});

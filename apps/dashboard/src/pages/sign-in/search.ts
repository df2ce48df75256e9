import * as z from 'zod/mini';
import { flag, text } from '../../search-params.ts';

export const SignInSearch = z.object({
  /** The page to open after the sign-in. */
  redirect: text,
  /** The sign-in session has ended while a page was open. */
  ended: flag,
});

import * as z from 'zod/mini';
import { text } from '../../search-params.ts';

export const ConnectSearch = z.object({
  /** The request of a client, sealed by the authorization server. */
  request: text,
  /** The chosen workspace. The one that was used last when left out. */
  workspace: text,
});

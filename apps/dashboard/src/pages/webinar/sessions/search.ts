import * as z from 'zod/mini';
import { flag, optional, text } from '../../../search-params.ts';

export const SessionsSearch = z.object({
  /** The list on the page. Absent: upcoming sessions. */
  when: optional(z.enum(['live', 'past'])),
  /** The session whose drawer is open. */
  session: text,
  /** The dialog that makes an API-controlled session is open. */
  create: flag,
});

export type SessionsSearch = z.output<typeof SessionsSearch>;

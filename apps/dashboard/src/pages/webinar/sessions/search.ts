import * as z from 'zod/mini';
import { flag, optional, text } from '../../../search-params.ts';
import { orderParam } from '../../../sorting.ts';

export const SessionsSearch = z.object({
  /** The list on the page. Absent: upcoming sessions. */
  when: optional(z.enum(['live', 'past'])),
  /** Of the starts. The nearest to now is first when left out. */
  order: orderParam,
  /** The session whose drawer is open. */
  session: text,
  /** The dialog that makes an API-controlled session is open. */
  create: flag,
});

export type SessionsSearch = z.output<typeof SessionsSearch>;

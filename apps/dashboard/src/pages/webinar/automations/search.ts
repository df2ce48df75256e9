import { allSkipReasons } from '@service/catalogue';
import * as z from 'zod/mini';
import { flag, moment, optional, text } from '../../../search-params.ts';

export const AutomationsSearch = z.object({
  /** The list that is shown. The rules when left out. */
  view: optional(z.enum(['executions'])),
  /** The form of a new rule is open. */
  create: flag,
  /** The rule that a new one begins as a copy of. */
  copy: text,
  /** The rule whose drawer is open. */
  rule: text,
  /** The drawer has the form of the rule. */
  edit: flag,
  /** The attendee that the drawer of a rule explains. */
  attendee: text,
  /** Filters of the executions. */
  of: optional(z.guid()),
  outcome: optional(z.enum(['matched', 'skipped'])),
  reason: optional(z.enum(allSkipReasons)),
  registration: optional(z.guid()),
  from: moment,
  to: moment,
  /** The execution whose details are open. */
  execution: text,
});

export type AutomationsSearch = z.output<typeof AutomationsSearch>;

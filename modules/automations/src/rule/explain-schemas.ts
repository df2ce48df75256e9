import { id, instant } from '@service/trpc';
import { z } from 'zod';
import { ExecutionOutput } from '../execution/schemas.ts';

export const ExplainInput = z.strictObject({
  webinarId: id('webinar'),
  ruleId: id('rule'),
  registrationId: id('registration'),
});

/** The answers to "Why did it not fire for this attendee?". */
export const explanationKinds = [
  /** The newest execution answers. */
  'fired',
  'skipped',
  /** There is no execution, because: */
  'event_has_not_happened',
  'other_event_happened',
  'not_due_yet',
  'rule_is_off',
  'rule_is_newer',
  'rule_was_changed',
  'no_record',
] as const;

export const ExplanationOutput = z.object({
  kind: z.enum(explanationKinds),
  /** The time of the event, or the time at which the rule is due. */
  at: instant().nullable(),
  /** The watch time so far, for a rule that waits for watch time. */
  watched: z.object({ percent: z.number(), minutes: z.number() }).nullable(),
  /** The newest executions of the rule for this attendee. */
  executions: z.array(ExecutionOutput),
});

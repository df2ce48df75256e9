import type { Issue } from '@service/errors';
import { id, issuesOf } from '@service/trpc';
import { z } from 'zod';
import { hasFireMode } from '../event-type/event-types.ts';
import { CreateRuleInput } from './schemas.ts';

export const CheckRuleInput = z.strictObject({
  webinarId: id('webinar'),
  /** The body of `POST …/automations` as far as it is filled in. */
  draft: z.looseObject({}),
});

/** All problems that creating or changing a rule would refuse, except for those of its URL's host. */
export function problemsOfRule({ webinarId, draft }: z.output<typeof CheckRuleInput>): Issue[] {
  const { data, error } = CreateRuleInput.safeParse({ ...draft, webinarId });
  if (error) return issuesOf(error);
  const hasProblem = data.fireMode !== undefined && !hasFireMode(data.trigger.type);
  return hasProblem ? [fireModeIssue] : [];
}

export const fireModeIssue: Issue = {
  path: 'fireMode',
  message: 'Only for rules with the trigger chat_response.',
};

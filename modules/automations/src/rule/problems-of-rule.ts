// Problems for which a rule is refused, beside those of the schema of its input and of the host of its URL.
import { findToolIssues } from '@service/contacts';
import type { AccountQueries, AccountWriter } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';
import { issuesOf } from '@service/trpc';
import { findPart } from '@service/webinars';
import type { z } from 'zod';
import type { Control } from '../event-type/define-event-type.ts';
import { eventTypes, hasFireMode, type Trigger } from '../event-type/event-types.ts';
import { CreateRuleInput, type ActionsInput, type CheckRuleInput, type UpdateRuleInput } from './schemas.ts';

export type GivenActions = Pick<z.output<typeof UpdateRuleInput>, 'action' | 'actions'>;

/** The actions of an input, also of one with a single webhook. Undefined if it gives none. */
export const actionsOf = ({ action, actions }: GivenActions): ActionsInput | undefined =>
  actions ?? (action && [action]);

/** All problems that creating or changing a rule would refuse, except for those of its URL's host. */
export async function problemsOfRule(
  reader: AccountQueries,
  { webinarId, draft }: z.output<typeof CheckRuleInput>,
): Promise<Issue[]> {
  const input = { ...draft, webinarId };
  const { data, error } = CreateRuleInput.safeParse(input);
  if (error) return issuesOf(error, { input });
  const hasProblem = data.fireMode !== undefined && !hasFireMode(data.trigger.type);
  const named = { webinarId, trigger: data.trigger, actions: actionsOf(data) };
  return [...(hasProblem ? [fireModeIssue] : []), ...(await problemsOfRecords(reader, named))];
}

export const fireModeIssue: Issue = {
  path: 'fireMode',
  message: 'Only for rules with the trigger chat_response.',
};

/** The fields of an input that name other records. */
interface Named {
  webinarId: string;
  trigger?: Trigger | undefined;
  actions?: ActionsInput | undefined;
}

/** Throws validation_failed with `problemsOfRecords`. */
export async function requireRecords(tx: AccountWriter, named: Named): Promise<void> {
  const issues = await problemsOfRecords(tx, named);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}

/** Each part of the webinar, marketing tool of the account and part of that tool that an input names and that does not exist. */
export const problemsOfRecords = async (
  reader: AccountQueries,
  { webinarId, trigger, actions = [] }: Named,
): Promise<Issue[]> => [
  ...(trigger ? await problemsOfTrigger(reader, { webinarId, trigger }) : []),
  ...(await problemsOfTools(reader, actions)),
];

const problemsOfTools = (reader: AccountQueries, actions: ActionsInput): Promise<Issue[]> =>
  findToolIssues(
    reader,
    actions.flatMap((action, index) =>
      action.type === 'integration' ? [{ contact: action, path: `actions.${index}` }] : [],
    ),
  );

/** The interaction, branch, segment or option of a poll that a trigger names and that the webinar does not have: such a rule never fires. */
async function problemsOfTrigger(
  reader: AccountQueries,
  { webinarId, trigger }: { webinarId: string; trigger: Trigger },
): Promise<Issue[]> {
  const params: Record<string, unknown> = { ...trigger.params };
  const controls: Readonly<Record<string, Control>> = eventTypes[trigger.type].controls;
  for (const [name, control] of Object.entries(controls)) {
    const [id, wanted] = [params[name], wantedBy(control)];
    if (typeof id !== 'string' || !wanted) continue;
    const part = await findPart(reader, { webinarId, id });
    if (!part || !wanted.includes(part.type ?? part.kind))
      return [problem(name, `The webinar has no ${wanted.join(' or ')} with this id.`)];
    const { optionId } = params;
    if (typeof optionId === 'string' && !part.optionIds.includes(optionId))
      return [problem('optionId', 'The poll has no option with this id.')];
  }
  return [];
}

/** The kinds of parts of a webinar that the param of a control names. */
function wantedBy(control: Control): readonly string[] | undefined {
  if (control.control === 'interaction') return control.types;
  return control.control === 'branch' || control.control === 'segment' ? [control.control] : undefined;
}

const problem = (param: string, message: string): Issue => ({ path: `trigger.params.${param}`, message });

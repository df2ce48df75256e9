import type { AccountQueries } from '@service/database';
import type { Issue } from '@service/errors';
import { findPart } from '@service/webinars';
import type { Control } from '../event-type/define-event-type.ts';
import { eventTypes, type Trigger } from '../event-type/event-types.ts';

/** The interaction, branch, segment or option of a poll that a trigger names and that the webinar does not have: such a rule never fires. */
export async function problemsOfTrigger(
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

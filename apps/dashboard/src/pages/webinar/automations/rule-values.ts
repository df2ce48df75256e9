// The values of the rule form, and the input of the service that they make.
import type { Condition } from '@service/conditions';
import type { Catalogue, MarketingTool, Rule, TriggerForm } from '../../../trpc.ts';
import type { EventType } from './use-triggers.ts';

export interface RuleValues {
  name: string;
  trigger: { type: EventType; params: Record<string, unknown> };
  conditions: Condition[];
  fireMode: NonNullable<Rule['fireMode']>;
  actions: ActionValues[];
}

type RuleAction = Rule['actions'][number];

/** The key names the action in the form. A new one has no id yet. */
interface Keyed {
  key: string;
  id?: string;
}

export type EmailValues = Keyed & Omit<Extract<RuleAction, { type: 'email' }>, 'id'>;

export type IntegrationValues = Keyed & Omit<Extract<RuleAction, { type: 'integration' }>, 'id'>;

export type ActionValues = EmailValues | IntegrationValues | (Keyed & { type: 'webhook'; url: string });

/** The path of a field of an action in the input of the service, which is also its path in the form. */
export const actionPath = (index: number, name: string): string => `actions.${index}.${name}`;

const firstTrigger: EventType = 'registered';

/** The first values of the form of a new rule, of a rule that is changed, or of a copy. */
export function ruleToValues(rule: Rule | undefined, triggers: readonly TriggerForm[]): RuleValues {
  const type = rule?.trigger.type ?? firstTrigger;
  const trigger = triggers.find((one) => one.type === type);
  return {
    name: rule?.name ?? '',
    trigger: { type, params: { ...(trigger && initialParams(trigger)), ...rule?.trigger.params } },
    conditions: rule?.conditions ?? [],
    fireMode: rule?.fireMode ?? 'once_per_session',
    actions: rule?.actions.map((action) => ({ ...action, key: action.id })) ?? [
      { key: 'first', type: 'webhook', url: '' },
    ],
  };
}

/** A copy has a name and actions of its own. */
export const copyOf = (values: RuleValues, prefix = 'Copy of'): RuleValues => ({
  ...values,
  name: `${prefix} ${values.name}`.slice(0, nameMax),
  actions: values.actions.map(({ id: _id, ...action }) => action),
});

const nameMax = 100;

/** The params that a form begins with. */
export const initialParams = ({ params }: TriggerForm): Record<string, unknown> =>
  Object.fromEntries(params.map(({ name, default: initial }) => [name, initial ?? undefined]));

/** The path of a param in the input of the service, which is also its path in the form. */
export const paramPath = (name: string): string => `trigger.params.${name}`;

/** The fields of a rule as the service takes them. It checks the values. */
export function valuesToInput(values: RuleValues, triggers: readonly TriggerForm[]) {
  const { name, conditions, fireMode, actions } = values;
  const trigger = triggers.find(({ type }) => type === values.trigger.type);
  return {
    name: name.trim(),
    trigger: { type: values.trigger.type, params: givenParams(values.trigger.params) } as Rule['trigger'],
    conditions,
    ...(trigger?.hasFireMode && { fireMode }),
    actions: actions.map(({ key: _key, ...action }) => {
      if (action.type === 'webhook') return { ...action, url: action.url.trim() };
      return action.type === 'integration' ? { ...action, fields: action.fields.map(givenField) } : action;
    }),
  };
}

/** A value that was emptied is left out. */
function givenField({ value, ...field }: IntegrationValues['fields'][number]) {
  return isBlank(value) ? field : { ...field, value };
}

/** The params that are given. A field that was emptied is left out. */
const givenParams = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => !isBlank(value)));

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The parts of the action that depend on its connection. */
type Parts = Pick<IntegrationValues, 'fields' | 'tags' | 'lists' | 'event'>;

interface Target {
  tool: Pick<MarketingTool, 'words' | 'takesEvents' | 'takesNewFields'>;
  /** Undefined: the tool did not answer. */
  catalogue: Catalogue | undefined;
}

/**
 * The action of a rule at another connection. Keeps the parts that also exist there, and names the others: `field “Company”`. Keys of
 * fields and ids of lists mean other things in another account, so fields and lists are found by their names only. They are
 * left out if one of the two catalogues is missing.
 */
export function moveIntegration(
  { fields, tags, lists, event }: Parts,
  from: Catalogue | undefined,
  { tool, catalogue }: Target,
): { parts: Parts; leftOut: string[] } {
  const leftOut = new Set<string>();
  const leaveOut = (noun: string, name: string): [] => {
    leftOut.add(`${noun} “${name}”`);
    return [];
  };
  const keepField = (field: Parts['fields'][number]): Parts['fields'] => {
    if (field.key === '') return [field];
    const label = from?.fields.find(({ key }) => key === field.key)?.label;
    if (label === undefined || !catalogue) return leaveOut('field', label ?? field.key);
    const key = catalogue.fields.find((one) => isSame(one.label, label))?.key;
    if (key !== undefined) return [{ ...field, key }];
    return tool.takesNewFields ? [{ ...field, key: label }] : leaveOut('field', label);
  };
  const keepList = (id: string): string[] => {
    const name = from?.lists.find((list) => list.id === id)?.name;
    const same = catalogue?.lists.find((one) => name !== undefined && isSame(one.name, name));
    return same ? [same.id] : leaveOut('list', name ?? id);
  };
  const keepTag = (name: string): string[] => (tool.words.tag === null ? leaveOut('tag', name) : [name]);
  return {
    parts: {
      fields: fields.flatMap(keepField),
      tags: { add: tags.add.flatMap(keepTag), remove: tags.remove.flatMap(keepTag) },
      lists: { add: lists.add.flatMap(keepList), remove: lists.remove.flatMap(keepList) },
      event: event === null || tool.takesEvents ? event : (leaveOut('event', event.name), null),
    },
    leftOut: [...leftOut],
  };
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

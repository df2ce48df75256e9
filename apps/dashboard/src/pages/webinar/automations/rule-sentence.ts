// A rule as a sentence: "When an attendee reaches 50 % of the video, only if they clicked Spring bundle, POST to crm.example.com and
// e-mail “Thank you” to the attendee".
import {
  conditionParts,
  fillTemplate,
  orList,
  type SentencePart,
  type SentenceValue,
} from '@service/conditions';
import { useNames, type Names } from '../../../components/conditions/use-names.ts';
import { formatCount, formatPlural } from '../../../format.ts';
import type { Connection, Rule, TriggerForm } from '../../../trpc.ts';
import { connectionName, useToolConnections } from '../../settings/marketing-tools/tool-connections.ts';
import { useTriggers } from './use-triggers.ts';

type Param = TriggerForm['params'][number];

/** The fields of a rule that decide what it does. */
export type RuleFacts = Pick<Rule, 'enabled' | 'conditions' | 'fireMode'> & {
  trigger: { type: string; params: Readonly<Record<string, unknown>> };
  actions: readonly ActionFacts[];
};

type ActionFacts =
  | { type: 'webhook'; url: string }
  | { type: 'email'; to: 'attendee' | 'members'; subject: string }
  | ContactFacts;

type ContactFacts = Omit<Extract<Rule['actions'][number], { type: 'integration' }>, 'id'>;

export interface RuleTexts {
  /** Undefined until they are loaded. */
  triggers: readonly TriggerForm[] | undefined;
  names: Names;
  /** The connections to marketing tools. */
  connections: readonly Connection[] | undefined;
}

/** The sentences of the rules of a webinar. */
export function useRuleSentence(webinarId: string): (rule: RuleFacts) => SentencePart[] {
  const triggers = useTriggers();
  const names = useNames(webinarId);
  const { connections } = useToolConnections();
  return (rule) => ruleParts(rule, { triggers, names, connections });
}

export function ruleParts(rule: RuleFacts, texts: RuleTexts): SentencePart[] {
  const { enabled, conditions, fireMode, actions } = rule;
  return [
    enabled ? 'When ' : 'Switched off: when ',
    ...triggerParts(rule.trigger, texts),
    ...(fireMode === 'every_match' ? [' (', { text: 'every time' }, ' in a session)'] : []),
    ...conditions.flatMap((condition, index) => [
      index === 0 ? ', only if ' : ' and ',
      ...conditionParts(condition, texts.names),
    ]),
    ', ',
    ...actionParts(actions, texts),
  ];
}

/** "POST to crm.example.com, e-mail “Hello” to the attendee and e-mail “New” to the members" */
export const actionParts = (
  actions: readonly ActionFacts[],
  { connections }: Pick<RuleTexts, 'connections'>,
): SentencePart[] =>
  joinParts(
    actions.map((action) =>
      action.type === 'webhook'
        ? ['POST to ', { text: shortUrl(action.url) }]
        : action.type === 'integration'
          ? [
              'update the contact in ',
              connectionName(connections, action.connectionId),
              ...contactParts(action),
            ]
          : ['e-mail ', { text: `“${action.subject.trim() || '…'}”` }, ` to the ${action.to}`],
    ),
  );

const joinParts = (parts: readonly SentencePart[][]): SentencePart[] =>
  parts.flatMap((part, index) => [index === 0 ? '' : index === parts.length - 1 ? ' and ' : ', ', ...part]);

/** " (set plan, add the tag “customer” and record “Registered”)" */
function contactParts({ fields, tags, lists, event }: ContactFacts): SentencePart[] {
  const parts: SentencePart[][] = [
    ...(fields.length === 1
      ? [['set ', { text: fields[0]!.key || '…' }]]
      : countParts('set', fields, 'field')),
    ...tagParts('add', tags.add),
    ...tagParts('remove', tags.remove),
    ...countParts('add to', lists.add, 'list'),
    ...countParts('remove from', lists.remove, 'list'),
    ...(event === null ? [] : [['record ', { text: `“${event.name || '…'}”` }]]),
  ];
  return parts.length === 0 ? [] : [' (', ...joinParts(parts), ')'];
}

const tagParts = (verb: string, tags: readonly string[]): SentencePart[][] =>
  tags.length === 1 ? [[`${verb} the tag `, { text: `“${tags[0]}”` }]] : countParts(verb, tags, 'tag');

const countParts = (verb: string, items: readonly unknown[], noun: string): SentencePart[][] =>
  items.length === 0 ? [] : [[`${verb} ${formatPlural(items.length, noun)}`]];

export function triggerParts(
  { type, params }: RuleFacts['trigger'],
  { triggers, names }: RuleTexts,
): SentencePart[] {
  const form = triggers?.find((trigger) => trigger.type === type);
  if (!form) return [{ text: triggers ? type : '…' }];
  const values = form.params.map((param) => [param.name, paramValue(param, params, names)]);
  return fillTemplate(form.sentence, Object.fromEntries(values));
}

function paramValue(
  { name, control, choices }: Param,
  params: Readonly<Record<string, unknown>>,
  names: Names,
): SentenceValue | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : { text: orList(value.map((one) => `“${String(one)}”`)) };
  }
  if (typeof value === 'number') return { text: formatCount(value) };
  if (typeof value !== 'string') return { text: JSON.stringify(value) };
  if (control === 'interaction') return names.interaction(value);
  if (control === 'branch') return names.branch(value);
  if (control === 'segment') return names.segment(value);
  // The poll of an option is the param beside it.
  if (control === 'poll_option') return names.option(textOf(params['interactionId']), value);
  return { text: choices.find((choice) => choice.value === value)?.phrase ?? value };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** "crm.example.com/hooks". Plain http stays visible. */
const shortUrl = (url: string): string =>
  url
    .trim()
    .replace(/^https:\/\//i, '')
    .replace(/\/$/, '') || '…';

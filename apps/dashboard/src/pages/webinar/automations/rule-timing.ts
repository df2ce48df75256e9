// The moment at which a rule tests its conditions, and how often it fires. A fact can become true before or after the trigger, and a
// rule knows only what was before.
import { isPollAnswer, verbOf, conditionFieldOf, type Condition } from '@service/conditions';
import { isEqual } from '../../../record-form/edits.ts';
import type { TriggerForm } from '../../../trpc.ts';
import { isBlank, type RuleValues } from './rule-values.ts';
import type { EventType } from './use-triggers.ts';

type Trigger = RuleValues['trigger'];

export type Timing = Pick<RuleValues, 'trigger' | 'conditions'>;

/** The trigger of a condition depends on the type of its interaction. */
type Interactions = readonly { id: string; type: string }[] | undefined;

/** Triggers that only an attendee in the room can cause. */
const inRoom: ReadonlySet<EventType> = new Set<EventType>([
  'joined',
  'left',
  'watched_minutes',
  'watched_percent',
  'video_complete',
  'cta_click',
  'handout_download',
  'poll_response',
  'chat_response',
  'branch_taken',
  'segment_completed',
]);

/** Facts that change after a registration. */
const changing = new Set([
  'watchedPercent',
  'watchedMinutes',
  'joined',
  'completed',
  'purchased',
  'clickedOffer',
  'clickedInteraction',
  'pollAnswer',
  'chatMessage',
]);

/** The conditions that an attendee may meet only after the trigger. The rule does not fire for such an attendee. */
export function lateConditions({ trigger, conditions }: Timing): Condition[] {
  const known = conditionOf(trigger);
  return conditions.filter((condition) => {
    const { field, value } = condition;
    const isMeetable = !['neq', 'lte', 'absent'].includes(verbOf(condition, conditionFieldOf(field)));
    if (!changing.has(field) || !isMeetable || isBlank(value)) return false;
    if (isPollAnswer(value) && value.optionId === '') return false;
    if (field === 'joined') return !inRoom.has(trigger.type);
    // A message is compared while it is sent.
    if (field === 'chatMessage' && trigger.type === 'chat_response') return false;
    return !known || !isImplied(condition, known);
  });
}

/** True if everyone for whom `known` is true meets the condition. */
function isImplied({ field, operator, value }: Condition, known: Condition): boolean {
  const isSameField =
    field === known.field || (field === 'clickedOffer' && known.field === 'clickedInteraction');
  if (!isSameField) return false;
  if (operator === 'exists') return true;
  if (operator === 'gte') return Number(known.value) >= Number(value);
  if (operator === 'in') return Array.isArray(value) && value.some((one) => one === known.value);
  return JSON.stringify(value) === JSON.stringify(known.value);
}

interface Given {
  percent?: number;
  minutes?: number;
  interactionId?: string;
  optionId?: string;
  keywords?: string[];
  match?: string;
}

type Value = Condition['value'] | undefined;

const when = (field: string, operator: Condition['operator'], value: Value): Condition | undefined =>
  value === undefined ? undefined : { field, operator, value };

const conditionsByTrigger: Partial<Record<EventType, (given: Given) => Condition | undefined>> = {
  watched_percent: ({ percent }) => when('watchedPercent', 'gte', percent),
  watched_minutes: ({ minutes }) => when('watchedMinutes', 'gte', minutes),
  joined: () => when('joined', 'eq', true),
  video_complete: () => when('completed', 'eq', true),
  purchase: ({ interactionId }) => (interactionId ? undefined : when('purchased', 'eq', true)),
  cta_click: ({ interactionId }) => when('clickedInteraction', 'eq', interactionId),
  handout_download: ({ interactionId }) => when('clickedInteraction', 'eq', interactionId),
  poll_response: ({ interactionId, optionId }) =>
    interactionId
      ? when('pollAnswer', 'eq', optionId && { interactionId, optionId })
      : when('pollAnswer', 'exists', true),
  chat_response: chatConditionOf,
};

/** The condition that is met from the trigger on. Undefined if no condition says the same. */
function conditionOf({ type, params }: Trigger): Condition | undefined {
  const isGiven = ([, value]: [string, unknown]) => !isBlank(value);
  const given: Given = Object.fromEntries(Object.entries(params).filter(isGiven));
  return conditionsByTrigger[type]?.(given);
}

function chatConditionOf({ keywords, match }: Given): Condition | undefined {
  if (!keywords) return when('chatMessage', 'exists', true);
  if (match === 'equals') return when('chatMessage', 'in', keywords);
  if (keywords.length > 1 || (match !== 'contains' && match !== 'contains_word')) return undefined;
  return when('chatMessage', match, keywords[0]);
}

/** The trigger that comes when the condition becomes true. Undefined if there is none that comes exactly then. */
function triggerOf({ field, operator, value }: Condition, interactions: Interactions): Trigger | undefined {
  const at = (type: EventType, params: Trigger['params'] = {}): Trigger => ({ type, params });
  const isWhole = Number.isInteger(value) && Number(value) > 0;
  switch (field) {
    case 'watchedPercent':
      return operator === 'gte' && isWhole ? at('watched_percent', { percent: value }) : undefined;
    case 'watchedMinutes':
      return operator === 'gte' && isWhole ? at('watched_minutes', { minutes: value }) : undefined;
    case 'joined':
      return at('joined');
    case 'completed':
      return at('video_complete');
    case 'purchased':
      return at('purchase');
    case 'clickedOffer':
    case 'clickedInteraction': {
      const type = interactions?.find(({ id }) => id === value)?.type;
      if (operator !== 'eq' || !type) return undefined;
      return at(type === 'handout' ? 'handout_download' : 'cta_click', { interactionId: value });
    }
    case 'pollAnswer':
      return at('poll_response', isPollAnswer(value) ? { ...value } : {});
    case 'chatMessage': {
      if (operator === 'exists') return at('chat_response', { match: 'contains' });
      const match = operator === 'eq' || operator === 'in' ? 'equals' : operator;
      return at('chat_response', { keywords: [value].flat(), match });
    }
    default:
      return undefined;
  }
}

export interface Offer extends Timing {
  /** The rule is changed to it, or a second rule has it beside the first one. */
  kind: 'change' | 'second';
}

/** Minutes after the end of the session. The last reports of the players have arrived by then. */
const afterMinutes = 5;

/** Ways to fire in both orders of the trigger and a late condition. */
export function offersOf({ trigger, conditions }: Timing, interactions: Interactions): Offer[] {
  const late = lateConditions({ trigger, conditions });
  const [first, ...others] = late;
  if (!first || isTimer(trigger.type)) return [];
  const known = conditionOf(trigger);
  const offers: Offer[] = [];
  const next = others.length === 0 ? triggerOf(first, interactions) : undefined;
  if (next) {
    const rest = conditions.filter((one) => one !== first);
    if (isBefore(trigger.type, next.type)) offers.push({ kind: 'change', trigger: next, conditions: rest });
    else if (known) offers.push({ kind: 'second', trigger: next, conditions: [...rest, known] });
  }
  // A purchase may come long after the session.
  const isOver = [...late, known].every((one) => one?.field !== 'purchased');
  if (isOver && (known || trigger.type === 'registered'))
    offers.push({
      kind: 'change',
      trigger: { type: 'after_session', params: { offsetMinutes: afterMinutes, audience: 'all' } },
      conditions: known ? [...conditions, known] : conditions,
    });
  return offers;
}

const isTimer = (type: EventType): boolean =>
  ['before_session', 'after_session', 'time_elapsed_after_event'].includes(type);

/** True if the first event always comes before the other one. */
const isBefore = (type: EventType, other: EventType): boolean =>
  type === 'registered' || (type === 'joined' && inRoom.has(other));

/** True if two rules fire at the same events under the same conditions. */
export const isSameTiming = (one: Timing, other: Timing): boolean =>
  isEqual(one.trigger, other.trigger) &&
  one.conditions.length === other.conditions.length &&
  one.conditions.every((condition) => other.conditions.some((its) => isEqual(condition, its)));

/** "Once for each offer or CTA, per registration and session" */
export function firesText(
  { trigger, fireMode }: { trigger: { params: object }; fireMode: RuleValues['fireMode'] | null },
  form: Pick<TriggerForm, 'firesPer' | 'hasFireMode'>,
): string {
  if (form.hasFireMode && fireMode === 'every_match') return 'Each time it happens';
  const { noun, param } = form.firesPer ?? {};
  const isOne = noun === undefined || (param && !isBlank(Reflect.get(trigger.params, param)));
  return isOne ? 'Once per registration and session' : `Once for each ${noun}, per registration and session`;
}

import {
  customFieldPrefix,
  type Condition,
  type ConditionValue,
  type Operator,
  type PollAnswer,
} from './condition.ts';
import type { AttendeeFacts } from './facts.ts';
import { foldText, holdsWord } from './fold-text.ts';

type Actual = string | number | boolean | null | readonly string[] | readonly PollAnswer[];

/** A condition, what was the case, and whether that was enough. */
export interface ConditionResult {
  field: string;
  operator: Operator;
  expected: ConditionValue;
  actual: Actual;
  passed: boolean;
}

/** Holds every condition against the facts, each by itself, so that history can say which one failed. */
export const evaluateConditions = (
  conditions: readonly Condition[],
  facts: AttendeeFacts,
): ConditionResult[] =>
  conditions.map(({ field, operator, value }) => {
    const actual = actualOf(field, facts);
    return { field, operator, expected: value, actual, passed: comparisons[operator](actual, value) };
  });

function actualOf(field: string, facts: AttendeeFacts): Actual {
  if (field.startsWith(customFieldPrefix)) {
    const key = field.slice(customFieldPrefix.length);
    return Object.hasOwn(facts.customFields, key) ? facts.customFields[key]! : null;
  }
  if (field.startsWith('utm.')) return facts.utm[field.slice('utm.'.length) as keyof AttendeeFacts['utm']];
  switch (field) {
    case 'clickedOffer':
      return facts.clickedOffers;
    case 'clickedInteraction':
      return facts.clickedInteractions;
    case 'pollAnswer':
      return facts.pollAnswers;
    case 'chatMessage':
      return facts.chatMessages;
    default:
      return facts[field as 'watchedPercent' | 'joined' | 'sessionKind'];
  }
}

type Comparison = (actual: Actual, expected: ConditionValue) => boolean;

const comparisons: Record<Operator, Comparison> = {
  eq: (actual, expected) => equals(actual, expected),
  neq: (actual, expected) => !equals(actual, expected),
  gte: (actual, expected) => numberOf(actual) >= (expected as number),
  lte: (actual, expected) => numberOf(actual) <= (expected as number),
  contains: (actual, expected) => textsOf(actual).some((text) => text.includes(foldText(expected as string))),
  contains_word: (actual, expected) =>
    textsOf(actual).some((text) => holdsWord(text, foldText(expected as string))),
  in: (actual, expected) => (expected as string[]).some((one) => equals(actual, one)),
  exists: (actual, expected) => isThere(actual) === expected,
};

/** Folded; a field that holds several texts holds what one of them holds. */
const textsOf = (actual: Actual): string[] =>
  [actual].flat().flatMap((one) => (typeof one === 'string' ? [foldText(one)] : []));

function equals(actual: Actual, expected: ConditionValue): boolean {
  if (Array.isArray(actual)) return actual.some((one: string | PollAnswer) => isSame(one, expected));
  return isSame(actual as string | number | boolean | null, expected);
}

function isSame(one: string | number | boolean | null | PollAnswer, expected: ConditionValue): boolean {
  if (typeof one === 'string' && typeof expected === 'string') return foldText(one) === foldText(expected);
  if (isAnswer(one) && isAnswer(expected))
    return one.interactionId === expected.interactionId && one.optionId === expected.optionId;
  return one === expected;
}

const isAnswer = (value: unknown): value is PollAnswer =>
  typeof value === 'object' && value !== null && 'interactionId' in value;

/** NaN, which is neither more nor less than anything, for what is no number. */
function numberOf(actual: Actual): number {
  if (typeof actual === 'number') return actual;
  return typeof actual === 'string' && actual.trim() !== '' ? Number(actual) : Number.NaN;
}

const isThere = (actual: Actual): boolean =>
  actual !== null && actual !== '' && !(Array.isArray(actual) && actual.length === 0);

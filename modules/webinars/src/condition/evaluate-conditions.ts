import { customFieldPrefix } from '@service/catalogue';
import {
  isFieldName,
  type Condition,
  type ConditionValue,
  type FieldName,
  type Operator,
  type PollAnswer,
} from './condition.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';
import type { AttendeeFacts } from './attendee-facts.ts';
import { foldOnce } from './fold-once.ts';
import { containsText, containsWord } from './search-text.ts';

type Actual = string | number | boolean | null | readonly string[] | readonly PollAnswer[];

/** A condition, the actual value, and the result. */
export interface ConditionResult {
  field: string;
  operator: Operator;
  expected: ConditionValue;
  actual: Actual;
  passed: boolean;
}

/** Cost of one condition, without the cost of its texts. */
const conditionWork = 50;

/**
 * Evaluates all conditions, even after one has failed, so that the history shows every result. Undefined if the budget was spent
 * before the end.
 */
export function evaluateConditions(
  conditions: readonly Condition[],
  facts: AttendeeFacts,
  budget: EvaluationBudget,
): ConditionResult[] | undefined {
  const results: ConditionResult[] = [];
  for (const condition of conditions) {
    const { field, operator, value } = condition;
    const actual = actualOf(field, facts);
    results.push({ field, operator, expected: value, actual, passed: isMet(condition, actual, budget) });
    if (budget.isSpent) return undefined;
  }
  return results;
}

/** True if all conditions are met. Stops at the first one that is not. False if the budget was spent before the end. */
export const areMet = (
  conditions: readonly Condition[],
  facts: AttendeeFacts,
  budget: EvaluationBudget,
): boolean =>
  conditions.every(
    (condition) => isMet(condition, actualOf(condition.field, facts), budget) && !budget.isSpent,
  );

function actualOf(field: string, facts: AttendeeFacts): Actual {
  if (isFieldName(field)) return readers[field](facts);
  const key = field.slice(customFieldPrefix.length);
  return Object.hasOwn(facts.customFields, key) ? facts.customFields[key]! : null;
}

/** The fact that each field reads. */
const readers: Record<FieldName, (facts: AttendeeFacts) => Actual> = {
  watchedPercent: (facts) => facts.watchedPercent,
  watchedMinutes: (facts) => facts.watchedMinutes,
  joined: (facts) => facts.joined,
  completed: (facts) => facts.completed,
  purchased: (facts) => facts.purchased,
  clickedOffer: (facts) => facts.clickedOffers,
  clickedInteraction: (facts) => facts.clickedInteractions,
  pollAnswer: (facts) => facts.pollAnswers,
  chatMessage: (facts) => facts.chatMessages,
  'utm.source': ({ utm }) => utm.source,
  'utm.medium': ({ utm }) => utm.medium,
  'utm.campaign': ({ utm }) => utm.campaign,
  'utm.term': ({ utm }) => utm.term,
  'utm.content': ({ utm }) => utm.content,
  sessionKind: (facts) => facts.sessionKind,
  registrationSource: (facts) => facts.registrationSource,
};

/** A condition that is being evaluated. */
interface Question {
  condition: Condition;
  actual: Actual;
  budget: EvaluationBudget;
}

function isMet(condition: Condition, actual: Actual, budget: EvaluationBudget): boolean {
  budget.spend(conditionWork);
  return comparisons[condition.operator]({ condition, actual, budget });
}

const comparisons: Record<Operator, (question: Question) => boolean> = {
  eq: (question) => equals(question),
  neq: (question) => !equals(question),
  gte: ({ actual, condition }) => numberOf(actual) >= (condition.value as number),
  lte: ({ actual, condition }) => numberOf(actual) <= (condition.value as number),
  contains: (question) => anyText(question, containsText),
  contains_word: (question) => anyText(question, containsWord),
  in: (question) => equals(question),
  exists: ({ actual, condition }) => isThere(actual) === condition.value,
};

const expectedTexts = ({ condition, budget }: Question): ReadonlySet<string> =>
  foldOnce(condition, () => [condition.value].flat().filter((value) => typeof value === 'string'), budget);

type ActualValue = string | number | boolean | null | PollAnswer;

/** True if the value of a field, or one of its several values, is wanted. */
function someValue(actual: Actual, isWanted: (value: ActualValue) => boolean): boolean {
  if (typeof actual !== 'object' || actual === null) return isWanted(actual);
  const values: readonly ActualValue[] = actual;
  return values.some((value) => isWanted(value));
}

/** True if a text of the field contains the text of the condition. */
function anyText(question: Question, holdsPart: (text: string, part: string) => boolean): boolean {
  const { actual, budget } = question;
  const [part = ''] = expectedTexts(question);
  return someValue(actual, (value) => {
    if (typeof value !== 'string' || budget.isSpent) return false;
    const text = budget.fold(value);
    if (text.length < part.length) return false;
    budget.spend(text.length + part.length);
    return holdsPart(text, part);
  });
}

/** True if a value of the field equals the value of the condition, or one value of its list. */
function equals(question: Question): boolean {
  const { actual, budget } = question;
  const { value: expected } = question.condition;
  const isOfTexts = typeof expected === 'string' || Array.isArray(expected);
  const wanted = isOfTexts ? expectedTexts(question) : undefined;
  return someValue(actual, (value) => {
    if (budget.isSpent) return false;
    budget.spend(comparisonWork);
    if (!wanted) return isSame(value, expected);
    return typeof value === 'string' && wanted.has(budget.fold(value));
  });
}

/** Cost of one comparison: finding a folded text among the expected ones, or comparing two poll answers. */
const comparisonWork = 20;

function isSame(one: ActualValue, expected: ConditionValue): boolean {
  if (isAnswer(one) && isAnswer(expected))
    return one.interactionId === expected.interactionId && one.optionId === expected.optionId;
  return one === expected;
}

const isAnswer = (value: unknown): value is PollAnswer =>
  typeof value === 'object' && value !== null && 'interactionId' in value;

/** NaN for values that are not numbers, because every comparison with NaN is false. */
function numberOf(actual: Actual): number {
  if (typeof actual === 'number') return actual;
  return typeof actual === 'string' && actual.trim() !== '' ? Number(actual) : Number.NaN;
}

const isThere = (actual: Actual): boolean =>
  actual !== null && actual !== '' && !(Array.isArray(actual) && actual.length === 0);

import {
  customFieldPrefix,
  isFieldName,
  type Condition,
  type ConditionValue,
  type FieldName,
  type Operator,
  type PollAnswer,
} from './condition.ts';
import type { EvaluationBudget } from './evaluation-budget.ts';
import type { AttendeeFacts } from './facts.ts';
import { foldOnce } from './fold-once.ts';
import { holdsText, holdsWord } from './search-text.ts';

type Actual = string | number | boolean | null | readonly string[] | readonly PollAnswer[];

/** A condition, what was the case, and whether that was enough. */
export interface ConditionResult {
  field: string;
  operator: Operator;
  expected: ConditionValue;
  actual: Actual;
  passed: boolean;
}

/** Finding a fact and comparing it, beside what is done for each text. */
const conditionWork = 50;

/**
 * Evaluates every condition by itself, so that history can say which one failed. Undefined when the budget was spent before the
 * last one was done.
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
    results.push({ field, operator, expected: value, actual, passed: holds(condition, actual, budget) });
    if (budget.isSpent) return undefined;
  }
  return results;
}

/** True if all conditions are met; stops at the first that is not. False when the budget was spent before that was known. */
export const doHold = (
  conditions: readonly Condition[],
  facts: AttendeeFacts,
  budget: EvaluationBudget,
): boolean =>
  conditions.every(
    (condition) => holds(condition, actualOf(condition.field, facts), budget) && !budget.isSpent,
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

function holds(condition: Condition, actual: Actual, budget: EvaluationBudget): boolean {
  budget.spend(conditionWork);
  return comparisons[condition.operator]({ condition, actual, budget });
}

const comparisons: Record<Operator, (question: Question) => boolean> = {
  eq: (question) => equals(question),
  neq: (question) => !equals(question),
  gte: ({ actual, condition }) => numberOf(actual) >= (condition.value as number),
  lte: ({ actual, condition }) => numberOf(actual) <= (condition.value as number),
  contains: (question) => anyText(question, holdsText),
  contains_word: (question) => anyText(question, holdsWord),
  in: (question) => equals(question),
  exists: ({ actual, condition }) => isThere(actual) === condition.value,
};

const expectedTexts = ({ condition, budget }: Question): ReadonlySet<string> =>
  foldOnce(condition, () => [condition.value].flat().filter((value) => typeof value === 'string'), budget);

type ActualValue = string | number | boolean | null | PollAnswer;

/** True if the value of a field is wanted, or one of its values where it has several. */
function someValue(actual: Actual, isWanted: (value: ActualValue) => boolean): boolean {
  if (typeof actual !== 'object' || actual === null) return isWanted(actual);
  const values: readonly ActualValue[] = actual;
  return values.some((value) => isWanted(value));
}

/** True if one of the texts of a field contains the text of the condition. */
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

/** True if a field, or one of its values, is what the condition names, or one of those it names. */
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

/** Looking up a folded text, and whether it is among those that are expected; or comparing two answers of polls. */
const comparisonWork = 20;

function isSame(one: ActualValue, expected: ConditionValue): boolean {
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

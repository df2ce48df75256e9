// Decides whether conditions are met. Rules want every result with its reason, and give way to other work of the process in between.
// Branches want only the answer, at once.
import type { Evaluation, EvaluationBudget } from './budget.ts';
import {
  conditionFieldOf,
  customFieldPrefix,
  isFieldName,
  isPollAnswer,
  type AttendeeFacts,
  type ConditionOperator,
  type PollAnswer,
} from './condition-fields.ts';
import type { Condition, ConditionValue } from './condition.ts';
import { containsText, containsWord, foldOnce } from './search-text.ts';

type Actual = string | number | boolean | null | readonly string[] | readonly PollAnswer[];

/** A condition, the actual value, and the result. */
export interface ConditionResult {
  field: string;
  operator: ConditionOperator;
  expected: ConditionValue;
  actual: Actual;
  passed: boolean;
}

/** The budget of an event, and the evaluation that it is part of. */
interface Turns {
  budget: EvaluationBudget;
  evaluation: Pick<Evaluation, 'giveWay'>;
}

/**
 * Evaluates all conditions of one rule, even after one has failed, so that the history shows every result. Gives way to other work of
 * the process between them, because one rule may take the whole budget of the event. Undefined if the budget was spent before the
 * end.
 */
export async function evaluateConditions(
  conditions: readonly Condition[],
  facts: AttendeeFacts,
  turns: Turns,
): Promise<ConditionResult[] | undefined> {
  const results: ConditionResult[] = [];
  for (const condition of conditions) {
    const result = await evaluateInTurns(condition, facts, turns);
    if (!result) return undefined;
    results.push(result);
    const turn = turns.evaluation.giveWay(turns.budget);
    if (turn) await turn;
  }
  return results;
}

/** Evaluates one condition. Many long texts take long, so it gives way after each of them. */
async function evaluateInTurns(
  condition: Condition,
  facts: AttendeeFacts,
  { budget, evaluation }: Turns,
): Promise<ConditionResult | undefined> {
  const actual = actualOf(condition.field, facts);
  const texts = conditionFieldOf(condition.field)?.kind === 'texts' ? (actual as readonly string[]) : [];
  const isSearch = condition.operator === 'contains' || condition.operator === 'contains_word';
  for (const [index, text] of texts.entries()) {
    if (isSearch) {
      // One text that contains the other is enough, so they are searched one by one.
      const result = resultOf(condition, [text], budget);
      if (!result || result.passed || index === texts.length - 1) return result && { ...result, actual };
    } else {
      // The budget caches folded texts, so each text costs this once.
      budget.fold(text);
      if (budget.isSpent) return undefined;
    }
    const turn = evaluation.giveWay(budget);
    if (turn) await turn;
  }
  return resultOf(condition, actual, budget);
}

function resultOf(
  condition: Condition,
  actual: Actual,
  budget: EvaluationBudget,
): ConditionResult | undefined {
  const { field, operator, value } = condition;
  const passed = isMet(condition, actual, budget);
  return budget.isSpent ? undefined : { field, operator, expected: value, actual, passed };
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

/** True if a condition compares chat messages, which are loaded only then. */
export const readsMessages = (conditions: readonly Pick<Condition, 'field'>[]): boolean =>
  conditions.some(({ field }) => field === 'chatMessage');

function actualOf(field: string, facts: AttendeeFacts): Actual {
  if (isFieldName(field)) return facts[field];
  const key = field.slice(customFieldPrefix.length);
  return Object.hasOwn(facts.customFields, key) ? facts.customFields[key]! : null;
}

/** Cost of one condition, without the cost of its texts. */
const conditionWork = 50;

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

const comparisons: Record<ConditionOperator, (question: Question) => boolean> = {
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
  if (isPollAnswer(one) && isPollAnswer(expected))
    return one.interactionId === expected.interactionId && one.optionId === expected.optionId;
  return one === expected;
}

/** NaN for values that are not numbers, because every comparison with NaN is false. */
function numberOf(actual: Actual): number {
  if (typeof actual === 'number') return actual;
  return typeof actual === 'string' && actual.trim() !== '' ? Number(actual) : Number.NaN;
}

const isThere = (actual: Actual): boolean =>
  actual !== null && actual !== '' && !(Array.isArray(actual) && actual.length === 0);

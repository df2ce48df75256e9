// History says of each condition what was expected and what was the case. Both come from outside, and a batch may hold 500 events
// x 100 rules x 20 conditions x 10,000 characters, so what is kept has its bounds; whether a condition passed is always kept.
import type { ConditionResult } from '@service/webinars';

/** A condition as history keeps it; values for which there is no room are null. */
export type KeptResult = Pick<ConditionResult, 'field' | 'operator' | 'passed'> & {
  expected: unknown;
  actual: unknown;
};

/** Characters of one value: of a list its first items. */
const valueMax = 4000;

/** Characters of the values of one event, of all its rules together. */
const eventMax = 50_000;

/** Characters of all events of a transaction, of the values and of the rest of each result, which is about a hundred. */
const transactionMax = 5_000_000;
const resultLength = 100;

/** Shortens the results of one evaluation of an event. */
export type KeepResults = (eventId: string, results: readonly ConditionResult[]) => KeptResult[];

/** For the events of one transaction. Those that come when there is no room left keep the condition that failed first. */
export function createKeepResults(): KeepResults {
  const usedByEvent = new Map<string, number>();
  let used = 0;
  const take = (eventId: string, length: number): boolean => {
    const usedByThis = (usedByEvent.get(eventId) ?? 0) + length;
    const fits = usedByThis <= eventMax;
    if (fits) usedByEvent.set(eventId, usedByThis);
    used += resultLength + (fits ? length : 0);
    return fits;
  };
  return (eventId, results) => {
    const firstFailed = results.find(({ passed }) => !passed);
    return results.flatMap((result) => {
      if (used >= transactionMax) return result === firstFailed ? [withoutValues(result)] : [];
      const expected = shorten(result.expected);
      const actual = shorten(result.actual);
      if (!take(eventId, expected.length + actual.length)) return [withoutValues(result)];
      return [{ ...result, expected: expected.value, actual: actual.value }];
    });
  };
}

const withoutValues = (result: ConditionResult): KeptResult => ({ ...result, expected: null, actual: null });

interface Shortened {
  value: unknown;
  length: number;
}

function shorten(value: ConditionResult['expected'] | ConditionResult['actual']): Shortened {
  if (!Array.isArray(value)) return { value, length: lengthOf(value) };
  const items: unknown[] = value;
  let length = 0;
  const end = items.findIndex((item) => (length += lengthOf(item)) > valueMax);
  if (end === -1) return { value, length };
  return { value: items.slice(0, end), length: length - lengthOf(items[end]) };
}

/** About as many characters as its JSON has. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}

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

/** Characters of the values of all events of a transaction. */
const transactionMax = 5_000_000;

/** Shortens the results of one evaluation of an event. */
export type KeepResults = (eventId: string, results: readonly ConditionResult[]) => KeptResult[];

/** For the events of one transaction, in the order in which their values get room. */
export function createKeepResults(): KeepResults {
  const usedByEvent = new Map<string, number>();
  let used = 0;
  const hasRoom = (eventId: string, length: number): boolean => {
    const usedByThis = (usedByEvent.get(eventId) ?? 0) + length;
    if (usedByThis > eventMax || used + length > transactionMax) return false;
    usedByEvent.set(eventId, usedByThis);
    used += length;
    return true;
  };
  return (eventId, results) =>
    results.map(({ field, operator, passed, ...values }) => {
      const expected = shorten(values.expected);
      const actual = shorten(values.actual);
      const isKept = hasRoom(eventId, expected.length + actual.length);
      return {
        field,
        operator,
        expected: isKept ? expected.value : null,
        actual: isKept ? actual.value : null,
        passed,
      };
    });
}

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

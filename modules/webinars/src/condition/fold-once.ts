import type { EvaluationBudget } from './evaluation-budget.ts';

const remembered = new WeakMap<object, ReadonlySet<string>>();

/**
 * The texts that a condition or a list of keywords names, folded once for as long as that object is in memory, which is as long
 * as its rule is remembered. Not if folding makes them more than twice as long: what is remembered of a rule is counted in
 * characters as it was written.
 */
export function foldOnce(
  owner: object,
  textsOf: () => readonly string[],
  budget: EvaluationBudget,
): ReadonlySet<string> {
  const known = remembered.get(owner);
  if (known) return known;
  const texts = textsOf();
  const folded = new Set(texts.map((text) => budget.fold(text)));
  if (!budget.isSpent && lengthOf(folded) <= 2 * lengthOf(texts)) remembered.set(owner, folded);
  return folded;
}

function lengthOf(texts: Iterable<string>): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}

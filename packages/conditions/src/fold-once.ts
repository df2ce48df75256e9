import type { EvaluationBudget } from './budget.ts';

const remembered = new WeakMap<object, ReadonlySet<string>>();

/**
 * Folds the texts of a condition or keyword list once and caches them while that object is in memory, which is while its rule is
 * in the rule cache. Texts that become more than twice as long are not cached, because the rule cache counts the unfolded
 * characters.
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

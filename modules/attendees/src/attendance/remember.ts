// Limits of the clicks and answers in an attendance. A webinar has at most 200 interactions at a time, but they can be replaced
// for months, and conditions read all that are kept.

/** Interactions kept in the clicks, and in the answers, of an attendance. */
const interactionsMax = 400;

/** Options kept for one poll. A poll has at most ten at a time. */
const optionsMax = 20;

/** Adds the value of an interaction. Over the limit, the oldest interactions are dropped, because ids are in the order of time. */
export function rememberInteraction<Value>(
  known: Readonly<Record<string, Value>>,
  interactionId: string,
  value: Value,
): Record<string, Value> {
  const others = Object.entries(known).filter(([id]) => id !== interactionId);
  const kept =
    others.length < interactionsMax
      ? others
      : others.toSorted(([one], [other]) => (one < other ? -1 : 1)).slice(1 - interactionsMax);
  return { ...Object.fromEntries(kept), [interactionId]: value };
}

/** Adds a viewed interaction. Undefined when it is known, or when so many are known that a view could not be remembered. */
export const rememberView = (views: readonly string[], interactionId: string): string[] | undefined =>
  views.includes(interactionId) || views.length >= interactionsMax ? undefined : [...views, interactionId];

/** Adds an option that was chosen. */
export const rememberOption = (chosen: readonly string[], optionId: string): string[] =>
  [...chosen, optionId].slice(-optionsMax);

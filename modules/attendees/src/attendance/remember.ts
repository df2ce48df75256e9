// An attendance keeps what its attendee clicked and answered. A webinar has at most 200 interactions at a time, but over the months
// they may be replaced without end, and conditions look at all that is kept.

/** Interactions that an attendance remembers of clicks, and of answers. */
const interactionsMax = 400;

/** Options of one poll that an attendance remembers; a poll has at most ten at a time. */
const optionsMax = 20;

/** Adds what happened with an interaction. Those that were made first are forgotten first: ids are in the order of time. */
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

/** Adds an option that was chosen. */
export const rememberOption = (chosen: readonly string[], optionId: string): string[] =>
  [...chosen, optionId].slice(-optionsMax);

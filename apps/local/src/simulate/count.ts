/** Bounds of a count. A call without an answer may have counted or not. */
export interface Count {
  least: number;
  most: number;
}

export const exactly = (count: number): Count => ({ least: count, most: count });

export const never = exactly(0);

export const atMost = (most: number): Count => ({ least: 0, most });

export const addCounts = (one: Count, other: Count): Count => ({
  least: one.least + other.least,
  most: one.most + other.most,
});

export const sumCounts = (counts: Iterable<Count>): Count => [...counts].reduce(addCounts, never);

/** Limits a count to one. */
export const once = ({ least, most }: Count): Count => ({
  least: Math.min(least, 1),
  most: Math.min(most, 1),
});

export const isWithin = (found: number, { least, most }: Count): boolean => least <= found && found <= most;

/** `3`, or `3-4`. */
export const showCount = ({ least, most }: Count): string =>
  least === most ? `${least}` : `${least}-${most}`;

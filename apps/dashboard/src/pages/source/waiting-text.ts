import { formatPlural } from '../../format.ts';

/** Counts end here. */
const countMax = 100_000;

/** "1 delivery", "1,204 deliveries", "at least 100,000 deliveries" */
export const waitingText = (count: number): string =>
  `${count >= countMax ? 'at least ' : ''}${formatPlural(count, 'delivery', 'deliveries')}`;

/** "Waits" or "wait", for the count before it. */
export const verbOf = (count: number): string => (count === 1 ? 'waits' : 'wait');

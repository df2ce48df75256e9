import { formatCount } from '../../format.ts';

/** "1 person", "1,204 people" */
export const peopleText = (count: number): string =>
  count === 1 ? '1 person' : `${formatCount(count)} people`;

import type { ApiKey } from '../../trpc.ts';

type Creator = ApiKey['createdBy'];

const texts: Record<Exclude<Creator['kind'], 'member'>, string> = {
  operator: 'Operator',
  unknown: 'Unknown',
};

/** The creator of a key in a table, with the name of that time. */
export const creatorText = (creator: Creator): string =>
  creator.kind === 'member' ? creator.name : texts[creator.kind];

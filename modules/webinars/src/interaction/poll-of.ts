import type { Interaction, Poll } from './interaction.ts';

/** What a poll has beyond other interactions; undefined of those. */
export const pollOf = ({ details }: Pick<Interaction, 'details'>): Poll | undefined =>
  'options' in details ? details : undefined;

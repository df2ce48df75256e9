import type { Interaction, Poll } from './interaction.ts';

/** The details of a poll. Undefined for other types of interaction. */
export const pollOf = ({ details }: Pick<Interaction, 'details'>): Poll | undefined =>
  'options' in details ? details : undefined;

import type { RevenueEvent } from './trpc.ts';

/** The levels of a credit, as people read them. */
export const levelTexts: Record<RevenueEvent['credit']['level'], string> = {
  offer_click: 'Offer click',
  attended: 'Attended',
  registered: 'Registered',
  unattributed: 'Unattributed',
};

import type { AttendeeFacts } from './attendee-facts.ts';

/** An attendee who has watched half of a webinar and done nothing else. */
export const facts: AttendeeFacts = {
  watchedPercent: 50,
  watchedMinutes: 30,
  joined: true,
  completed: false,
  purchased: false,
  clickedOffers: [],
  clickedInteractions: [],
  pollAnswers: [],
  chatMessages: [],
  utm: { source: null, medium: null, campaign: null, term: null, content: null },
  customFields: {},
  sessionKind: 'scheduled',
  registrationSource: 'api',
};

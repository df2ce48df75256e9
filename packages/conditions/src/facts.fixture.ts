import type { AttendeeFacts } from './condition-fields.ts';

/** An attendee who has watched half of a webinar and done nothing else. */
export const facts: AttendeeFacts = {
  watchedPercent: 50,
  watchedMinutes: 30,
  joined: true,
  completed: false,
  purchased: false,
  clickedOffer: [],
  clickedInteraction: [],
  pollAnswer: [],
  chatMessage: [],
  'utm.source': null,
  'utm.medium': null,
  'utm.campaign': null,
  'utm.term': null,
  'utm.content': null,
  customFields: {},
  sessionKind: 'scheduled',
  registrationSource: 'api',
};

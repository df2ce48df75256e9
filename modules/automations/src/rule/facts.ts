import type { AttendeeEvent } from '@service/webinars';
import type { PollAnswer } from './condition.ts';

/** What is known of an attendee when an event comes: what conditions look at. */
export interface AttendeeFacts {
  watchedPercent: number;
  watchedMinutes: number;
  joined: boolean;
  completed: boolean;
  purchased: boolean;
  clickedOffers: readonly string[];
  clickedInteractions: readonly string[];
  pollAnswers: readonly PollAnswer[];
  chatMessage: string | null;
  utm: Readonly<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string | null>>;
  customFields: Readonly<Record<string, string>>;
  sessionKind: string;
  registrationSource: string;
}

/** Somebody who has just registered has watched, clicked and said nothing yet. */
export function factsOf({ registration, session }: AttendeeEvent): AttendeeFacts {
  return {
    watchedPercent: 0,
    watchedMinutes: 0,
    joined: false,
    completed: false,
    purchased: false,
    clickedOffers: [],
    clickedInteractions: [],
    pollAnswers: [],
    chatMessage: null,
    utm: {
      source: registration.utmSource ?? null,
      medium: registration.utmMedium ?? null,
      campaign: registration.utmCampaign ?? null,
      term: registration.utmTerm ?? null,
      content: registration.utmContent ?? null,
    },
    customFields: registration.customFields,
    sessionKind: session.kind,
    registrationSource: registration.source,
  };
}

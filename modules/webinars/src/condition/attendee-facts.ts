import type { PollAnswer } from './condition.ts';

/** The facts of an attendee that conditions compare. */
export interface AttendeeFacts {
  watchedPercent: number;
  watchedMinutes: number;
  joined: boolean;
  completed: boolean;
  purchased: boolean;
  clickedOffers: readonly string[];
  clickedInteractions: readonly string[];
  pollAnswers: readonly PollAnswer[];
  /** The attendee's chat messages in the session. A condition is met if it is met for one of them. */
  chatMessages: readonly string[];
  utm: Readonly<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string | null>>;
  customFields: Readonly<Record<string, string>>;
  sessionKind: string;
  registrationSource: string;
}

import type { AttendanceFacts } from '../attendance/attendance.ts';
import type { Registration } from '../registration/registration.ts';
import { utmOf } from '../registration/utm.ts';
import type { Session } from '../session/session.ts';
import type { PollAnswer } from './condition.ts';

/** What is known of an attendee at a moment: what conditions look at. */
export interface AttendeeFacts {
  watchedPercent: number;
  watchedMinutes: number;
  joined: boolean;
  completed: boolean;
  purchased: boolean;
  clickedOffers: readonly string[];
  clickedInteractions: readonly string[];
  pollAnswers: readonly PollAnswer[];
  /** What was said in the session's chat; a condition holds when it holds of one of them. */
  chatMessages: readonly string[];
  utm: Readonly<Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string | null>>;
  customFields: Readonly<Record<string, string>>;
  sessionKind: string;
  registrationSource: string;
}

interface Attendee {
  registration: Registration;
  session: Pick<Session, 'kind'>;
  facts: AttendanceFacts;
  chatMessages?: readonly string[];
}

/** Brings together what a registration says and what its attendance shows. */
export function factsOf({ registration, session, facts, chatMessages = [] }: Attendee): AttendeeFacts {
  const clicked = Object.entries(facts.clicks);
  return {
    watchedPercent: facts.completionPercent,
    watchedMinutes: Math.floor(facts.watchedSeconds / 60),
    joined: facts.joined,
    completed: facts.completed,
    // Purchases are not known yet.
    purchased: false,
    clickedOffers: clicked.filter(([, type]) => type === 'offer').map(([id]) => id),
    clickedInteractions: clicked.map(([id]) => id),
    pollAnswers: Object.entries(facts.answers).flatMap(([interactionId, optionIds]) =>
      optionIds.map((optionId) => ({ interactionId, optionId })),
    ),
    chatMessages,
    utm: utmOf(registration),
    customFields: registration.customFields,
    sessionKind: session.kind,
    registrationSource: registration.source,
  };
}

import type { AttendanceFacts } from '../attendance/attendance.ts';
import type { Registration } from '../registration/registration.ts';
import { utmOf } from '../registration/utm.ts';
import type { Session } from '../session/session.ts';
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

interface Attendee {
  registration: Registration;
  session: Pick<Session, 'kind'>;
  facts: AttendanceFacts;
  chatMessages?: readonly string[];
}

/** Combines the facts of a registration with those of its attendance. */
export function factsOf({ registration, session, facts, chatMessages = [] }: Attendee): AttendeeFacts {
  const clicked = Object.entries(facts.clicks);
  return {
    watchedPercent: facts.completionPercent,
    watchedMinutes: Math.floor(facts.watchedSeconds / 60),
    joined: facts.joined,
    completed: facts.completed,
    // Purchases are not tracked yet.
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

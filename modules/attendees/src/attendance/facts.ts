import type { AttendeeFacts, Session } from '@service/webinars';
import type { AttendanceFacts } from '../entities/attendance.ts';
import { utmOf, type Registration } from '../entities/registration.ts';

interface Attendee {
  registration: Registration;
  session: Pick<Session, 'kind'>;
  facts: AttendanceFacts;
  chatMessages?: readonly string[];
}

/** The facts that conditions compare, from a registration and its attendance. */
export function factsOf({ registration, session, facts, chatMessages = [] }: Attendee): AttendeeFacts {
  const clicked = Object.entries(facts.clicks);
  return {
    watchedPercent: facts.completionPercent,
    watchedMinutes: Math.floor(facts.watchedSeconds / 60),
    joined: facts.joined,
    completed: facts.completed,
    purchased: registration.purchased,
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

// The phase of an attendee's session: which page they see, and which calls are taken.
import { type Session, statusAt, type Webinar } from '@service/webinars';
import type { RoomPhase } from './schemas.ts';

export interface Place {
  session: Session;
  webinar: Pick<Webinar, 'room' | 'replay'>;
}

export function phaseAt(place: Place, now: Date): RoomPhase {
  const status = statusAt(place.session, now);
  if (status === 'scheduled') return now < lobbyOpensAt(place) ? 'scheduled' : 'lobby';
  if (status !== 'ended') return status;
  const endsAt = replayEndsAt(place);
  return endsAt !== undefined && (endsAt === null || now < endsAt) ? 'replay' : 'ended';
}

export const lobbyOpensAt = ({ session, webinar }: Place): Date =>
  new Date(session.startsAt.getTime() - webinar.room.lobbyMinutes * 60_000);

/** The end of the replay of an ended session. Null: it has no end. Undefined: there is no replay. */
export function replayEndsAt({ session, webinar }: Place): Date | null | undefined {
  const { enabled, availableHours } = webinar.replay;
  if (!enabled) return undefined;
  return availableHours === null
    ? null
    : new Date(endedAt({ session }).getTime() + availableHours * 3_600_000);
}

/** The end of an ended session, also before the clock has stored it. */
export const endedAt = ({ session }: Pick<Place, 'session'>): Date => session.actualEndedAt ?? session.endsAt;

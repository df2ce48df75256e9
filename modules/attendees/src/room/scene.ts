import type { Evaluation, Graph, Interaction, Session, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import type { EventDraft } from '../event/publish-events.ts';
import type { JoinToken } from '../registration/join-token.ts';

/** Whose registration it is, as far as a token has to know. */
export type Holder = Pick<Registration, 'accountId' | 'id' | 'tokenVersion' | 'status'>;

/** An attendee in their session, as an act finds them. */
export interface Scene {
  now: Date;
  holder: Holder;
  /** All that is known of them, where the act asked for it or the webinar is adaptive. */
  person: Registration | undefined;
  session: Session;
  webinar: Webinar;
  attendance: Attendance;
  /** The same as the transaction found it. */
  found: Attendance;
  /** Marks of watch time that somebody waits for. */
  minutes: readonly number[];
  percents: readonly number[];
  /** Of an adaptive webinar. */
  graph: Graph | undefined;
  /** Those the act asked for that there are. */
  interactions: readonly Interaction[];
  /** Only loaded where a branch asks for them. */
  chatMessages: readonly string[];
  /** The time that the branches of all viewers of the account have in this batch. */
  evaluation: Evaluation;
}

/** What an act changes, and what it answers. It changes nothing itself, so that one that throws has done nothing. */
export interface Act<Result> {
  attendance?: Attendance;
  events?: readonly ActEvent[];
  /** They are in the room now. */
  isJoin?: boolean;
  vote?: Vote;
  /** Whether others in the session are to see it at once. */
  isPublic?: boolean;
  answer(written: Written): Result;
}

/** A draft may bring its id, which the answer names. */
export interface ActEvent extends EventDraft {
  id?: string;
}

export interface Vote {
  interactionId: string;
  optionId: string;
  /** It counts already; only how the poll stands is wanted. */
  isRepeat?: boolean;
}

/** What is known only once everything is written. */
export interface Written {
  /** How often each option was chosen in this session. */
  countsOf(interactionId: string): ReadonlyMap<string, number>;
}

/** Somebody's wish to do something: who, what it has to be shown, and what it does then. */
export interface Call<Result = unknown> {
  token: JoinToken;
  /** Which interactions the act needs to see. */
  interactions?: 'all' | { id: string };
  /** Whether somebody who has never been there may do it; such an act sees the whole person. */
  isFirst?: boolean;
  act(scene: Scene): Act<Result>;
}

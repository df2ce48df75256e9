import type { Evaluation } from '@service/conditions/budget';
import type { Graph, Interaction, Session, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import type { EventDraft, RecordedEvent } from '../event/publish-events.ts';
import type { SessionMessage } from '../response/chat.ts';
import type { JoinLinks, JoinToken } from '../registration/join-token.ts';

/** The fields of a registration that the check of a token needs. */
export type Holder = Pick<Registration, 'accountId' | 'id' | 'tokenVersion' | 'status'>;

/** The state of one attendee and their session that a call works on. */
export interface AttendeeSnapshot {
  now: Date;
  holder: Holder;
  /** Loaded if the call needs it, the webinar is adaptive or the list has conditions. */
  registration: Registration | undefined;
  session: Session;
  webinar: Webinar;
  attendance: Attendance;
  /** The attendance as the transaction loaded it. */
  found: Attendance;
  /** Marks of watch time that rules wait for. */
  minutes: readonly number[];
  percents: readonly number[];
  /** Only for adaptive webinars. */
  graph: Graph | undefined;
  /** The requested interactions that exist. */
  interactions: readonly Interaction[];
  /** All interactions of the webinar, if the call needs the list that the attendee sees. */
  shown: readonly Interaction[] | undefined;
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>;
  /** The messages that calls of the batch answer, by id. */
  messages: ReadonlyMap<string, SessionMessage>;
  /** Only loaded if a condition compares them. */
  chatMessages: readonly string[];
  /** The CPU budget for the conditions of all attendees in this batch. */
  evaluation: Evaluation;
}

/** The changes and the answer of a call. The function that returns it has no side effects, so a refused call changes nothing. */
export interface RoomChange<Result> {
  attendance?: Attendance;
  events?: readonly RoomEvent[];
  /** For timelines and statistics only: rules and subscriptions do not receive it. */
  recorded?: RecordedEvent;
  /** The attendee joins the room. */
  isJoin?: boolean;
  vote?: Vote;
  /** True if others in the session should see the change at once. */
  isPublic?: boolean;
  answer(written: Written): Result;
}

/** A draft can have an id of its own, which the answer contains. */
export interface RoomEvent extends EventDraft {
  id?: string;
}

export interface Vote {
  interactionId: string;
  optionId: string;
  /** The vote was counted before. Only the results are read. */
  isRepeat?: boolean;
}

/** Data that is known only after the writes. */
export interface Written {
  /** Votes per option in this session. */
  countsOf(interactionId: string): ReadonlyMap<string, number>;
}

/** One room call: the token, the data it needs, and its function. */
export interface RoomCall<Result = unknown> {
  token: JoinToken;
  /** The interactions that the call needs: all, one, or all if the list of the page is not of the current version. */
  interactions?: 'all' | { id: string } | { version: string };
  /** The message that the call answers. */
  replyTo?: string | undefined;
  /** True if the call is allowed before the first visit. The registration is loaded for it. */
  isFirst?: boolean;
  handle(snapshot: AttendeeSnapshot): RoomChange<Result>;
}

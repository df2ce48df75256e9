import type { PathState } from '@service/webinars';
import type { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import type { ClickToken, FormerToken, JoinToken, ReadToken } from '../registration/join-token.ts';
import type { HeartbeatOutput, PollResults, VisitOutput } from './schemas.ts';

/**
 * The calls of an attendee, with the proved token of their join link. Each throws join_link_expired for a token that was rotated
 * or is of a cancelled registration, and for a webinar that is not published any more; room_busy when too many calls of the
 * attendee, their account or the process are unanswered, and when their rows stay locked for five seconds.
 */
export interface Room {
  /** Reads the token of a join link, without the database. Null for a text that is no token of ours. */
  read(join: string): ReadToken<JoinToken> | null;
  /** The same for the token of a click link. */
  readClick(clickToken: string): ReadToken<ClickToken> | null;
  /** Proves a token of the form without a version, by one read. Null where it is not the current one. Throws room_busy. */
  prove<Token>(claimed: FormerToken<Token>): Promise<Token | null>;
  /** Opens a page. Throws room_closed to who comes too late for the first time. */
  enter(token: JoinToken): Promise<VisitOutput>;
  /** Throws visit_not_found. */
  heartbeat(token: JoinToken, beat: HeartbeatInput): Promise<HeartbeatOutput>;
  /** A last heartbeat: the page is being closed. Throws visit_not_found. */
  leave(token: JoinToken, beat: HeartbeatInput): Promise<void>;
  /** Records a click and says where it leads. Throws interaction_not_found, session_not_live. */
  click(token: JoinToken, interactionId: string): Promise<{ redirectUrl: string }>;
  /** The same for a link that somebody follows. */
  follow(token: ClickToken): Promise<{ redirectUrl: string }>;
  /** Throws interaction_not_found, session_not_live, poll_answered, validation_failed. */
  answer(
    token: JoinToken,
    interactionId: string,
    answer: { optionId: string },
  ): Promise<{ results: PollResults | null }>;
  /** Throws chat_off, session_not_live. */
  say(token: JoinToken, message: { text: string }): Promise<{ id: string; sentAt: string }>;
  /** Throws branch_not_found, branch_not_open, too_many_moves. */
  takeBranch(token: JoinToken, branchId: string): Promise<PathState>;
  /** Who it is, for those who only listen. */
  identify(token: JoinToken): Promise<RoomIdentity>;
  /** Finishes what was begun. */
  close(): Promise<void>;
}

export interface RoomIdentity {
  accountId: string;
  webinarId: string;
  sessionId: string;
  registrationId: string;
  chatMode: 'public' | 'private' | 'off';
}

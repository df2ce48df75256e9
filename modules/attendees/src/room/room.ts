import type { PathState } from '@service/webinars';
import type { HeartbeatInput } from '../attendance/heartbeat-input.ts';
import type { ClickToken, FormerToken, JoinToken, ReadToken } from '../registration/join-token.ts';
import type { HeartbeatOutput, PollResults, TakeBranchInput, VisitOutput } from './schemas.ts';

/**
 * The calls of an attendee, with the proved token of their join link. Each call throws join_link_expired for a rotated token, a
 * cancelled registration, or a webinar that is no longer published. It throws room_busy if too many calls of the attendee, the
 * account or the process are unanswered, or if the attendee's rows stay locked for five seconds.
 */
export interface Room {
  /** Reads the token of a join link, without the database. Null for a text that is not a token of this service. */
  read(join: string): ReadToken<JoinToken> | null;
  /** Like `read`, for the token of a click link. */
  readClick(clickToken: string): ReadToken<ClickToken> | null;
  /** Proves a token without a version, with one query. Null if it is not the current token. Throws room_busy. */
  prove<Token>(claimed: FormerToken<Token>): Promise<Token | null>;
  /**
   * Opens a page. Throws room_not_open before the lobby opens, room_closed for an attendee whose first visit is too late, and
   * session_ended or replay_over after the session.
   */
  enter(token: JoinToken): Promise<VisitOutput>;
  /** Throws visit_not_found. */
  heartbeat(token: JoinToken, beat: HeartbeatInput): Promise<HeartbeatOutput>;
  /** The last heartbeat of a page that is being closed. Throws visit_not_found. */
  leave(token: JoinToken, beat: HeartbeatInput): Promise<void>;
  /** Records a click and returns the URL of its redirect. Throws interaction_not_found, session_not_live. */
  click(token: JoinToken, interactionId: string): Promise<{ redirectUrl: string }>;
  /** Like `click`, for the token of a click link. */
  follow(token: ClickToken): Promise<{ redirectUrl: string }>;
  /** Records the first view of an interaction. Throws interaction_not_found, session_not_live. */
  view(token: JoinToken, interactionId: string): Promise<void>;
  /** Throws interaction_not_found, session_not_live, poll_answered, validation_failed. */
  answer(
    token: JoinToken,
    interactionId: string,
    answer: { optionId: string },
  ): Promise<{ results: PollResults | null }>;
  /** Throws chat_off, session_not_live, message_not_found. */
  say(
    token: JoinToken,
    message: { text: string; replyTo?: string | undefined },
  ): Promise<{ id: string; sentAt: string }>;
  /** Throws branch_not_found, branch_not_open, too_many_moves. */
  takeBranch(token: JoinToken, branchId: string, input: TakeBranchInput): Promise<PathState>;
  /** Finds the attendee of a token, for callers that only read the feed. Throws join_link_expired, room_busy. */
  identify(token: JoinToken): Promise<RoomIdentity>;
  /** Waits until all calls are answered. */
  close(): Promise<void>;
}

export interface RoomIdentity {
  accountId: string;
  webinarId: string;
  sessionId: string;
  registrationId: string;
  chatMode: 'public' | 'private' | 'off';
}

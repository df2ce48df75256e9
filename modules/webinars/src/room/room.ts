import type { HeartbeatInput, HeartbeatOutput, PathState, PollResults, VisitOutput } from './schemas.ts';

/**
 * What an attendee may do, by the token of their join link. Each throws join_link_expired for a token that is unknown, rotated
 * or of a cancelled registration, and for a webinar that is not published any more.
 */
export interface Room {
  /** Opens a page. Throws room_closed to who comes too late for the first time. */
  enter(join: string): Promise<VisitOutput>;
  /** Throws visit_not_found. */
  heartbeat(join: string, beat: HeartbeatInput): Promise<HeartbeatOutput>;
  /** A last heartbeat: the page is being closed. Throws visit_not_found. */
  leave(join: string, beat: HeartbeatInput): Promise<void>;
  /** Records a click and says where it leads. Throws interaction_not_found, session_not_live. */
  click(join: string, interactionId: string): Promise<{ redirectUrl: string }>;
  /** The same for a link that somebody follows. */
  follow(clickToken: string): Promise<{ redirectUrl: string }>;
  /** Throws interaction_not_found, session_not_live, poll_answered, validation_failed. */
  answer(
    join: string,
    interactionId: string,
    answer: { optionId: string },
  ): Promise<{ results: PollResults | null }>;
  /** Throws chat_off, session_not_live. */
  say(join: string, message: { text: string }): Promise<{ id: string; sentAt: string }>;
  /** Throws branch_not_found, branch_not_open, too_many_moves. */
  takeBranch(join: string, branchId: string): Promise<PathState>;
  /** Who it is, for those who only listen. */
  identify(join: string): Promise<RoomIdentity>;
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

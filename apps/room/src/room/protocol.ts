// The room protocol as the page uses it. The types are those of the server's schemas.
import type { FeedItem, HeartbeatOutput, PollResults, VisitOutput } from '@service/attendees';

export type { FeedItem, HeartbeatOutput, PollResults, VisitOutput };
type RoomInteraction = VisitOutput['interactions'][number];
/** An interaction that is shown as a card. */
export type Interaction = RoomInteraction & { type: Exclude<RoomInteraction['type'], 'chat'> };
export type PathState = NonNullable<VisitOutput['path']>;
type FedMessage = Extract<FeedItem, { type: 'message' }>;
/** A message of the feed, or one that is recorded with the video. */
export type ChatMessage = Omit<FedMessage, 'role'> & { role: FedMessage['role'] | 'simulated' };

/** A refusal of the service, or no answer at all (`code` network). */
export class RoomFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor({ code, status, message, retryAfterMs }: FailureFields) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if the same call may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

interface FailureFields {
  code: string;
  status: number;
  message: string;
  retryAfterMs?: number | undefined;
}

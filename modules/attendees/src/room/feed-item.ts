// What everybody in a session sees, as pages and players get it.
import type { SessionStatus } from '@service/webinars';
import type { PollResults } from './schemas.ts';

export interface MessageItem {
  type: 'message';
  id: string;
  name: string;
  text: string;
  /** ISO 8601, UTC. */
  sentAt: string;
  /** Whether it is the listener's. */
  own: boolean;
}

/** How a poll stands whose results are shown while it is answered. */
export interface PollItem {
  type: 'poll';
  interactionId: string;
  results: PollResults;
}

/** Where a session was put that the API controls. */
export interface ProgressItem {
  type: 'progress';
  status: SessionStatus;
  positionSeconds: number;
  segmentId: string | null;
}

export type FeedItem = MessageItem | PollItem | ProgressItem;

export interface FeedPage {
  items: readonly FeedItem[];
  /** Where to go on from; opaque. */
  cursor: string;
}

// The items of a feed, as pages and players get them.
import type { SessionStatus } from '@service/webinars';
import type { PollResults } from './schemas.ts';

export interface MessageItem {
  type: 'message';
  id: string;
  name: string;
  text: string;
  /** ISO 8601, UTC. */
  sentAt: string;
  /** True if the listener wrote it. */
  own: boolean;
}

/** The current results of a poll with live results. */
export interface PollItem {
  type: 'poll';
  interactionId: string;
  results: PollResults;
}

/** The position of an API-controlled session. */
export interface ProgressItem {
  type: 'progress';
  status: SessionStatus;
  positionSeconds: number;
  segmentId: string | null;
}

export type FeedItem = MessageItem | PollItem | ProgressItem;

export interface FeedPage {
  items: readonly FeedItem[];
  /** Opaque. Pass it to read on. */
  cursor: string;
}

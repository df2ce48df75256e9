/**
 * Up to where somebody has seen a session: the newest message, and what polls and progress looked like. It says nothing of
 * the process that made it, so any other one can go on from it.
 */
export interface FeedCursor {
  /** Empty before the first one. */
  messageId: string;
  pollsTag: string;
  progressTag: string;
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)\.([\w-]{8})\.([\w-]{8})$/;

export const formatCursor = ({ messageId, pollsTag, progressTag }: FeedCursor): string =>
  `${messageId}.${pollsTag}.${progressTag}`;

/** Undefined for a text that is none. */
export function parseCursor(text: string): FeedCursor | undefined {
  const [, messageId, pollsTag, progressTag] = form.exec(text) ?? [];
  if (messageId === undefined || pollsTag === undefined || progressTag === undefined) return undefined;
  return { messageId, pollsTag, progressTag };
}

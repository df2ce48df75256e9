/**
 * The state of a feed that a reader has seen: the newest message, and hashes of polls and progress. It contains no data of the
 * process that made it, so every process can read on from it.
 */
export interface FeedCursor {
  /** Empty before the first message. */
  messageId: string;
  pollsTag: string;
  progressTag: string;
}

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)\.([\w-]{8})\.([\w-]{8})$/;

export const formatCursor = ({ messageId, pollsTag, progressTag }: FeedCursor): string =>
  `${messageId}.${pollsTag}.${progressTag}`;

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): FeedCursor | undefined {
  const [, messageId, pollsTag, progressTag] = form.exec(text) ?? [];
  if (messageId === undefined || pollsTag === undefined || progressTag === undefined) return undefined;
  return { messageId, pollsTag, progressTag };
}

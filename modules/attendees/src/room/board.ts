// The state of a session's feed in a process, and the pages made from it. Messages of several processes can become visible in
// another order than that of their ids, so new messages are found by id and not by position.
import { hash } from 'node:crypto';
import { idAt, idTime } from '@service/database';
import { formatCursor, type FeedCursor } from './feed-cursor.ts';
import type { FeedItem, FeedPage, MessageItem, PollItem, ProgressItem } from './feed-item.ts';
import type { RoomIdentity } from './room.ts';

export interface Message extends Omit<MessageItem, 'type' | 'own'> {
  registrationId: string;
}

/** The content of a feed. Messages are in the order of their ids. */
export interface Seen {
  messages: readonly Message[];
  polls: readonly PollItem[];
  /** Null if the session runs by the clock. */
  progress: ProgressItem | null;
}

export interface Board extends Seen {
  pollsTag: string;
  progressTag: string;
}

/** The part of a feed that is new on a board. */
export type News = Seen;

/** Messages per session that a process keeps and reads again. */
export const messagesKept = 200;
/** Messages per page. If there are more, the newest are shown. */
const pageMax = 100;
/** Messages on the first page. */
const firstMax = 50;
/** A message of another process can become visible after a message with a higher id. */
const overlapMs = 2000;

export const emptyBoard: Board = toBoard({ messages: [], polls: [], progress: null });

/** Updates a board with the content just read. Returns the new board and its new content. */
export function learn(board: Board, found: Seen): { board: Board; news: News } {
  const known = new Set(board.messages.map(({ id }) => id));
  const before = new Set(board.polls.map((poll) => JSON.stringify(poll)));
  const messages = found.messages.filter(({ id }) => !known.has(id));
  const after = toBoard({ ...found, messages: merge(board.messages, messages).slice(-messagesKept) });
  return {
    board: after,
    news: {
      messages: messages.slice(-pageMax),
      polls: found.polls.filter((poll) => !before.has(JSON.stringify(poll))),
      progress: after.progressTag === board.progressTag ? null : found.progress,
    },
  };
}

interface PageOptions {
  identity: RoomIdentity;
  since?: FeedCursor;
  /** Own messages for a private chat, because the board keeps only the newest messages. */
  own?: readonly Message[];
}

/**
 * The page for one request. Without a cursor: the newest 50 messages and the current polls and progress. With a cursor: the
 * newest 100 messages since two seconds before it, and polls and progress if they have changed.
 */
export function pageOf(board: Board, { identity, since, own = [] }: PageOptions): FeedPage {
  const first = since?.messageId ? idAt(new Date(idTime(since.messageId).getTime() - overlapMs)) : '';
  const messages = visible(merge(own, board.messages), identity)
    .filter(({ id }) => id >= first)
    .slice(since ? -pageMax : -firstMax);
  const polls = board.pollsTag === since?.pollsTag ? [] : board.polls;
  const progress = board.progressTag === since?.progressTag ? null : board.progress;
  return toPage(board, itemsOf({ messages, polls, progress }, identity));
}

/** Makes the pages with new content for listeners. Undefined if there is nothing new for a listener. Most listeners share one page. */
export function createNewsPages(board: Board, news: News): (identity: RoomIdentity) => FeedPage | undefined {
  const authors = new Set(news.messages.map(({ registrationId }) => registrationId));
  const shared = new Map<RoomIdentity['chatMode'], FeedPage | undefined>();
  const make = (identity: RoomIdentity): FeedPage | undefined => {
    const items = itemsOf({ ...news, messages: visible(news.messages, identity) }, identity);
    return items.length === 0 ? undefined : toPage(board, items);
  };
  return (identity) => {
    if (authors.has(identity.registrationId)) return make(identity);
    if (!shared.has(identity.chatMode)) shared.set(identity.chatMode, make(identity));
    return shared.get(identity.chatMode);
  };
}

function visible(
  messages: readonly Message[],
  { chatMode, registrationId }: RoomIdentity,
): readonly Message[] {
  if (chatMode === 'public') return messages;
  return chatMode === 'private'
    ? messages.filter((message) => message.registrationId === registrationId)
    : [];
}

const itemsOf = ({ messages, polls, progress }: Seen, identity: RoomIdentity): FeedItem[] => [
  ...messages.map(({ id, name, text, sentAt, registrationId }): MessageItem => ({
    type: 'message',
    id,
    name,
    text,
    sentAt,
    own: registrationId === identity.registrationId,
  })),
  ...polls,
  ...(progress ? [progress] : []),
];

const toPage = ({ messages, pollsTag, progressTag }: Board, items: readonly FeedItem[]): FeedPage => ({
  items,
  cursor: formatCursor({ messageId: messages.at(-1)?.id ?? '', pollsTag, progressTag }),
});

function merge(some: readonly Message[], others: readonly Message[]): readonly Message[] {
  if (some.length === 0 || others.length === 0) return some.length === 0 ? others : some;
  const byId = new Map([...some, ...others].map((message) => [message.id, message]));
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toBoard(seen: Seen): Board {
  return { ...seen, pollsTag: tagOf(seen.polls), progressTag: tagOf(seen.progress) };
}

function tagOf(value: unknown): string {
  return hash('sha1', JSON.stringify(value), 'base64url').slice(0, 8);
}

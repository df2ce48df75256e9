import { hash } from 'node:crypto';
import { idAt, idTime } from '@service/database';
import type { QuotedMessage } from '../entities/session-message.ts';
import type { RoomIdentity } from './room.ts';
import type { FeedItem, MessageItem, PollItem, ProgressItem, SessionItem } from './schemas.ts';

export interface FeedPage {
  items: readonly FeedItem[];
  /** Opaque. Pass it to read on. */
  cursor: string;
}

// The state of a session's feed in a process, and the pages made from it. Messages of several processes can become visible in
// another order than that of their ids, so new messages are found by id and not by position.

export interface Message extends Omit<MessageItem, 'type' | 'own' | 'replyTo'> {
  /** Null for a message of the host. */
  registrationId: string | null;
  replyTo: QuotedMessage | null;
}

/** The content of a feed. Messages are in the order of their ids, and contain hidden ones. */
export interface FeedContent {
  messages: readonly Message[];
  /** The newest hidden messages. */
  hiddenIds: readonly string[];
  polls: readonly PollItem[];
  /** Null if the session runs by the clock. */
  progress: ProgressItem | null;
  /** Null if the session does not exist. */
  session: SessionItem | null;
}

export interface FeedSnapshot extends FeedContent {
  hidden: ReadonlySet<string>;
  pollsTag: string;
  /** Of the session, its progress and the hidden messages. */
  progressTag: string;
}

/** The content of a feed that is new since the previous snapshot. */
export type FeedUpdate = FeedContent;

/** Messages per session that a process keeps and reads again. */
export const messagesKept = 200;
/** Messages per page. If there are more, the newest are shown. */
const pageMax = 100;
/** Messages on the first page. */
const firstMax = 50;
/** A message of another process can become visible after a message with a higher id. */
const overlapMs = 2000;

export const emptyContent: FeedContent = {
  messages: [],
  hiddenIds: [],
  polls: [],
  progress: null,
  session: null,
};

export const emptySnapshot: FeedSnapshot = toSnapshot(emptyContent);

/** Adds the content just read to a snapshot. Returns the new snapshot and the new content. */
export function updateSnapshot(
  snapshot: FeedSnapshot,
  found: FeedContent,
): { snapshot: FeedSnapshot; update: FeedUpdate } {
  const known = new Set(snapshot.messages.map(({ id }) => id));
  const before = new Set(snapshot.polls.map((poll) => JSON.stringify(poll)));
  const messages = found.messages.filter(({ id }) => !known.has(id));
  const hidden = new Set(found.hiddenIds);
  const shownAgain = snapshot.messages.filter(({ id }) => snapshot.hidden.has(id) && !hidden.has(id));
  const after = toSnapshot({ ...found, messages: merge(snapshot.messages, messages).slice(-messagesKept) });
  return {
    snapshot: after,
    update: {
      messages: merge(shownAgain, messages)
        .filter(({ id }) => !hidden.has(id))
        .slice(-pageMax),
      hiddenIds: found.hiddenIds.filter((id) => !snapshot.hidden.has(id)),
      polls: found.polls.filter((poll) => !before.has(JSON.stringify(poll))),
      progress: isSame(found.progress, snapshot.progress) ? null : found.progress,
      session: isSame(found.session, snapshot.session) ? null : found.session,
    },
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A reader of updates. */
export interface Viewer {
  identity: RoomIdentity;
  /** The ids of messages that the first page had and its snapshot did not. A later update may contain them. */
  known?: ReadonlySet<string>;
}

interface PageOptions {
  identity: RoomIdentity;
  since?: FeedCursor | undefined;
  /** Own messages for a private chat, because the snapshot keeps only the newest messages. */
  own?: readonly Message[];
}

const firstPages = new WeakMap<FeedSnapshot, Map<RoomIdentity['chatMode'], FeedPage>>();

/** The first page of attendees who wrote nothing in it and are not quoted. They share it, so it is made and converted to text once. */
function sharedFirstPage(snapshot: FeedSnapshot, identity: RoomIdentity): FeedPage {
  const byMode = firstPages.get(snapshot) ?? new Map<RoomIdentity['chatMode'], FeedPage>();
  firstPages.set(snapshot, byMode);
  const known = byMode.get(identity.chatMode);
  if (known) return known;
  const page = makePage(snapshot, { identity });
  byMode.set(identity.chatMode, page);
  return page;
}

/**
 * The page for one request. Without a cursor: the newest 50 messages and the current polls and progress. With a cursor: the
 * newest 100 messages since two seconds before it, and polls and progress if they have changed.
 */
export function pageOf(snapshot: FeedSnapshot, options: PageOptions): FeedPage {
  const { identity, since, own = [] } = options;
  const hasOwnPage =
    own.length > 0 ||
    snapshot.messages.some(
      ({ registrationId: author, replyTo }) =>
        author === identity.registrationId || replyTo?.registrationId === identity.registrationId,
    );
  return since || hasOwnPage ? makePage(snapshot, options) : sharedFirstPage(snapshot, identity);
}

function makePage(snapshot: FeedSnapshot, { identity, since, own = [] }: PageOptions): FeedPage {
  const first = since?.messageId ? idAt(new Date(idTime(since.messageId).getTime() - overlapMs)) : '';
  const messages = visible(merge(own, snapshot.messages), identity)
    .filter(({ id }) => id >= first && !snapshot.hidden.has(id))
    .slice(since ? -pageMax : -firstMax);
  const polls = snapshot.pollsTag === since?.pollsTag ? [] : snapshot.polls;
  const isCurrent = snapshot.progressTag === since?.progressTag;
  const content = {
    messages,
    polls,
    progress: isCurrent ? null : snapshot.progress,
    session: isCurrent ? null : snapshot.session,
    // A page without a cursor has no messages to remove.
    hiddenIds: isCurrent || !since ? [] : snapshot.hiddenIds,
  };
  return toPage(snapshot, itemsOf(content, { identity, hidden: snapshot.hidden }));
}

/** Makes the pages with new content for listeners. Undefined if there is nothing new for a listener. Most listeners share one page. */
export function createUpdatePages(
  snapshot: FeedSnapshot,
  update: FeedUpdate,
): (viewer: Viewer) => FeedPage | undefined {
  // The authors of the messages and the people whom they quote see them in another way than others.
  const people = new Set(
    update.messages.flatMap(({ registrationId, replyTo }) => [registrationId, replyTo?.registrationId]),
  );
  const shared = new Map<RoomIdentity['chatMode'], FeedPage | undefined>();
  const make = ({ identity, known }: Viewer): FeedPage | undefined => {
    const messages = visible(update.messages, identity).filter(({ id }) => !known?.has(id));
    const items = itemsOf({ ...update, messages }, { identity, hidden: snapshot.hidden });
    return items.length === 0 ? undefined : toPage(snapshot, items);
  };
  return (viewer) => {
    const { registrationId, chatMode } = viewer.identity;
    if (people.has(registrationId)) return make(viewer);
    if (!shared.has(chatMode)) shared.set(chatMode, make(viewer));
    return shared.get(chatMode);
  };
}

function visible(
  messages: readonly Message[],
  { chatMode, registrationId }: RoomIdentity,
): readonly Message[] {
  if (chatMode === 'public') return messages;
  return chatMode === 'private'
    ? messages.filter((message) => message.role === 'presenter' || message.registrationId === registrationId)
    : [];
}

// Listeners share the items, so that each is converted to text once.
const itemByMessage = new WeakMap<Message, MessageItem>();

function toItem(message: Message, reading: Reading): MessageItem {
  const isOwn = message.registrationId === reading.identity.registrationId;
  const quote = quoteFor(message, reading);
  const isShared = !isOwn && (quote !== null || message.replyTo === null);
  const known = isShared ? itemByMessage.get(message) : undefined;
  if (known) return known;
  const { id, name, text, sentAt, role } = message;
  const replyTo = quote && { id: quote.id, name: quote.name, text: quote.text };
  const item: MessageItem = { type: 'message', id, name, text, sentAt, own: isOwn, role, replyTo };
  if (isShared) itemByMessage.set(message, item);
  return item;
}

interface Reading extends Pick<FeedSnapshot, 'hidden'> {
  identity: RoomIdentity;
}

/** Null if the reader does not see the quoted message: it is hidden, or that of another attendee in a private chat. */
function quoteFor({ registrationId, replyTo }: Message, { identity, hidden }: Reading): QuotedMessage | null {
  if (!replyTo || hidden.has(replyTo.id)) return null;
  if (identity.chatMode === 'public' || registrationId === identity.registrationId) return replyTo;
  const isSeen = replyTo.registrationId === null || replyTo.registrationId === identity.registrationId;
  return isSeen ? replyTo : null;
}

const itemsOf = (
  { session, hiddenIds, messages, polls, progress }: FeedContent,
  reading: Reading,
): FeedItem[] => [
  ...(session ? [session] : []),
  ...hiddenIds.map((id) => ({ type: 'hidden', id }) as const),
  ...messages.map((message) => toItem(message, reading)),
  ...polls,
  ...(progress ? [progress] : []),
];

const toPage = ({ messages, pollsTag, progressTag }: FeedSnapshot, items: readonly FeedItem[]): FeedPage => ({
  items,
  cursor: formatCursor({ messageId: messages.at(-1)?.id ?? '', pollsTag, progressTag }),
});

function merge(some: readonly Message[], others: readonly Message[]): readonly Message[] {
  if (some.length === 0 || others.length === 0) return some.length === 0 ? others : some;
  const byId = new Map([...some, ...others].map((message) => [message.id, message]));
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toSnapshot(seen: FeedContent): FeedSnapshot {
  const { session, progress, hiddenIds } = seen;
  return {
    ...seen,
    hidden: new Set(hiddenIds),
    pollsTag: tagOf(seen.polls),
    progressTag: tagOf([session, progress, hiddenIds]),
  };
}

function tagOf(value: unknown): string {
  return hash('sha1', JSON.stringify(value), 'base64url').slice(0, 8);
}

/**
 * The state of a feed that a reader has seen: the newest message, and hashes of the rest. It contains no data of the
 * process that made it, so every process can read on from it.
 */
interface FeedCursor {
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

import type { ServerResponse } from 'node:http';
import { randomInt } from 'node:crypto';
import { mapInTurns } from '@service/database';
import { AppError } from '@service/errors';
import { attendeeErrors } from '../errors.ts';
import type { JoinToken } from '../registration/join-token.ts';
import type { FeedPage } from '../room/feed-snapshot.ts';
import type { RoomFeed } from '../room/feed.ts';
import type { Room, RoomIdentity } from '../room/room.ts';
import type { FeedItem } from '../room/schemas.ts';

interface StreamsOptions {
  room: Pick<Room, 'identify'>;
  feed: Pick<RoomFeed, 'subscribe'>;
  now: () => Date;
  /** Limit of streams in this process. One account has half of them at most. */
  streamsMax?: number;
}

interface Listener {
  token: JoinToken;
  identity: RoomIdentity;
  /** The cursor of the last page that the client has. */
  since: string | undefined;
}

interface Open extends Listener {
  stream: EventStream;
  /** Undefined while the first page is being read. */
  unsubscribe: (() => void) | undefined;
  wroteAtMs: number;
  provedAtMs: number;
  /** The time until the link is checked again. */
  proofMs: number;
}

const perRegistrationMax = 5;

const sweepEveryMs = 1000;
const quietMaxMs = 15_000;
/** Each stream has a random time in this range, so that streams that began together are not checked together. */
const proofMinMs = 20_000;
const proofMaxMs = 40_000;
const proofsAtOnce = 20;

/** Event streams of this process. */
export function createEventStreams({ room, feed, now, streamsMax = 20_000 }: StreamsOptions) {
  const accountStreamsMax = streamsMax / 2;
  const streams = new Set<Open>();
  const countByRegistration = new Map<string, number>();
  const countByAccount = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let sweeping = false;
  let closed = false;

  const count = ({ accountId, registrationId }: RoomIdentity, change: 1 | -1): void => {
    countIn(countByRegistration, registrationId, change);
    countIn(countByAccount, accountId, change);
  };

  const requirePlace = ({ accountId, registrationId }: RoomIdentity): void => {
    const isFull = streams.size >= streamsMax || (countByAccount.get(accountId) ?? 0) >= accountStreamsMax;
    if (isFull) throw attendeeErrors.room_busy({ retryAfterSeconds: 30 });
    if ((countByRegistration.get(registrationId) ?? 0) >= perRegistrationMax)
      throw attendeeErrors.room_busy({ retryAfterSeconds: 5 });
  };

  const sweep = async (): Promise<void> => {
    sweeping = true;
    const atMs = now().getTime();
    const quiet = [...streams].filter((open) => Math.abs(atMs - open.wroteAtMs) >= quietMaxMs);
    await mapInTurns(quiet, (open) => {
      open.wroteAtMs = atMs;
      open.stream.comment();
    });
    const due = [...streams].filter((open) => Math.abs(atMs - open.provedAtMs) >= open.proofMs);
    for (let from = 0; from < due.length; from += proofsAtOnce)
      await Promise.all(due.slice(from, from + proofsAtOnce).map(async (open) => prove(open, atMs)));
    sweeping = false;
  };

  const prove = async (open: Open, atMs: number): Promise<void> => {
    open.provedAtMs = atMs;
    try {
      const { chatMode, sessionId } = await room.identify(open.token);
      const { identity } = open;
      if (chatMode !== identity.chatMode || sessionId !== identity.sessionId) finish(open);
    } catch (error) {
      // Only an answer of the database counts. When it is unreachable, the stream stays open.
      if (error instanceof AppError && error.kind === 'gone') finish(open);
    }
  };

  return {
    /** Sends pages until the client disconnects or its link is not valid any more. Throws room_busy, before any answer. */
    async open(response: ServerResponse, listener: Listener): Promise<void> {
      const { identity, since } = listener;
      requirePlace(identity);
      // The client may have disconnected already; then there is no close event any more.
      if (response.closed) return;
      const stream = openEventStream(response);
      if (closed) return stream.end();
      timer ??= setInterval(() => void (sweeping || sweep()), sweepEveryMs);
      const atMs = now().getTime();
      const proofMs = proofMinMs + Math.random() * (proofMaxMs - proofMinMs);
      const open: Open = {
        ...listener,
        stream,
        unsubscribe: undefined,
        wroteAtMs: atMs,
        provedAtMs: atMs,
        proofMs,
      };
      streams.add(open);
      count(identity, 1);
      response.once('close', () => {
        streams.delete(open);
        count(identity, -1);
        open.unsubscribe?.();
      });
      const onPage = (page: FeedPage): void => {
        open.wroteAtMs = now().getTime();
        stream.send(page);
      };
      open.unsubscribe = await feed.subscribe(identity, { since, onPage });
      if (response.writableEnded || response.closed) open.unsubscribe();
    },
    /** Ends all streams. A later client is disconnected at once, so that it reconnects to another process. */
    close(): void {
      closed = true;
      clearInterval(timer);
      for (const open of streams) finish(open);
    },
  };
}

function countIn(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}

function finish({ stream, unsubscribe }: Open): void {
  unsubscribe?.();
  stream.end();
}

export interface EventStream {
  send(page: FeedPage): void;
  /** Shows proxies and browsers that the stream is alive. */
  comment(): void;
  /** Ends the stream. The browser reconnects and continues at its last event id. */
  end(): void;
}

/** Bytes that may wait for a client. A client that is further behind is disconnected, and continues at its last event id. */
const waitingMax = 128 * 1024;

/** The wait of a browser before it reconnects. It differs between streams, so that not all reconnect at once after a restart. */
const retryMinMs = 2000;
const retryMaxMs = 5000;

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): each item is one event, as JSON. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // A buffering proxy would delay every event.
    'X-Accel-Buffering': 'no',
    // A stopping server waits for connections that may have another request.
    Connection: 'close',
  });
  const write = (text: string | Buffer): void => {
    if (response.destroyed) return;
    // Also a client that has not read the end yet.
    if (response.writableEnded || response.writableLength > waitingMax) {
      response.destroy();
      return;
    }
    // Sent at once. Node would send it after the callers of all streams have returned, which a part of a tick would not notice.
    const { socket } = response;
    socket?.cork();
    response.write(text);
    socket?.uncork();
  };
  write(`retry: ${randomInt(retryMinMs, retryMaxMs)}\n\n`);
  return {
    send: (page) => write(pageToEvents(page)),
    comment: () => write(':\n\n'),
    end: () => void response.end(),
  };
}

// Pages as clients get them. Most clients of a session get the same items, and most streams the same pages, so each is converted
// once.

const textByItem = new WeakMap<FeedItem, string>();
const eventsByPage = new WeakMap<FeedPage, Buffer>();

/** The page as JSON, for clients that poll. */
export const pageToJson = ({ items, cursor }: FeedPage): string =>
  `{"items":[${items.map(itemToText).join(',')}],"cursor":${JSON.stringify(cursor)}}`;

/**
 * The page as server-sent events. The last event contains the cursor: a client that loses the connection before it gets all of them
 * again.
 */
function pageToEvents(page: FeedPage): Buffer {
  const known = eventsByPage.get(page);
  if (known) return known;
  const { items, cursor } = page;
  const events = items.map((item) => `data: ${itemToText(item)}\n\n`);
  const id = `id: ${cursor}\n`;
  const text = items.length === 0 ? `${id}\n` : [...events.slice(0, -1), id, events.at(-1)].join('');
  const bytes = Buffer.from(text);
  eventsByPage.set(page, bytes);
  return bytes;
}

function itemToText(item: FeedItem): string {
  const known = textByItem.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  textByItem.set(item, text);
  return text;
}

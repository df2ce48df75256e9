import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FeedPage } from '../room/feed-item.ts';
import { pageToEvents } from './page-text.ts';

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

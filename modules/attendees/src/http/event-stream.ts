import type { ServerResponse } from 'node:http';
import type { FeedPage } from '../room/feed-item.ts';

export interface EventStream {
  send(page: FeedPage): void;
  /** Shows proxies and browsers that the stream is alive. */
  comment(): void;
  /** Ends the stream. The browser reconnects and continues at its last event id. */
  end(): void;
}

/** Bytes that may wait for a client. A client that is further behind is disconnected. */
const waitingMax = 256 * 1024;

/** The wait of a browser before it reconnects. */
const retryMs = 3000;

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
  const write = (text: string): void => {
    if (response.destroyed) return;
    // Also a client that has not read the end yet.
    if (response.writableEnded || response.writableLength > waitingMax) response.destroy();
    else response.write(text);
  };
  write(`retry: ${retryMs}\n\n`);
  return {
    send: (page) => write(textOf(page)),
    comment: () => write(':\n\n'),
    end: () => void response.end(),
  };
}

// Most clients of a session get the same page, so it is converted to text once.
const textByPage = new WeakMap<FeedPage, string>();

function textOf(page: FeedPage): string {
  const known = textByPage.get(page);
  if (known !== undefined) return known;
  const text = pageToText(page);
  textByPage.set(page, text);
  return text;
}

/** The last event contains the cursor: a client that loses the connection before it gets all of them again. */
function pageToText({ items, cursor }: FeedPage): string {
  const id = `id: ${cursor}\n`;
  if (items.length === 0) return `${id}\n`;
  const events = items.map((item) => `data: ${JSON.stringify(item)}\n\n`);
  return [...events.slice(0, -1), id, events.at(-1)].join('');
}

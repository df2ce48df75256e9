import type { ServerResponse } from 'node:http';
import type { FeedPage } from '@service/attendees';

export interface EventStream {
  send(page: FeedPage): void;
  /** Shows proxies and browsers that it is still there. */
  comment(): void;
  /** The browser connects again by itself, going on from where it was. */
  end(): void;
}

/** What may wait for a client to read it, in bytes, before more is written; one who is further behind is cut. */
const waitingMax = 256 * 1024;

/** How long a browser waits before it connects again. */
const retryMs = 3000;

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): each item one, as JSON. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // A proxy that collects what it passes on would hold every event back.
    'X-Accel-Buffering': 'no',
    // Nothing comes after it on its connection, which a stop would otherwise wait for.
    Connection: 'close',
  });
  const write = (text: string): void => {
    if (response.destroyed) return;
    // Also one who has not even read the end by now.
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

// Most listeners of a session get the same page, which is written out once.
const textByPage = new WeakMap<FeedPage, string>();

function textOf(page: FeedPage): string {
  const known = textByPage.get(page);
  if (known !== undefined) return known;
  const text = pageToText(page);
  textByPage.set(page, text);
  return text;
}

/** The cursor comes with the last one: who loses the connection in between gets all of them again. */
function pageToText({ items, cursor }: FeedPage): string {
  const id = `id: ${cursor}\n`;
  if (items.length === 0) return `${id}\n`;
  const events = items.map((item) => `data: ${JSON.stringify(item)}\n\n`);
  return [...events.slice(0, -1), id, events.at(-1)].join('');
}

// Pages as clients get them. Most clients of a session get the same items, and most streams the same pages, so each is converted
// once.
import type { FeedItem, FeedPage } from '../room/feed-item.ts';

const textByItem = new WeakMap<FeedItem, string>();
const eventsByPage = new WeakMap<FeedPage, Buffer>();

/** The page as JSON, for clients that poll. */
export const pageToJson = ({ items, cursor }: FeedPage): string =>
  `{"items":[${items.map(itemToText).join(',')}],"cursor":${JSON.stringify(cursor)}}`;

/**
 * The page as server-sent events. The last event contains the cursor: a client that loses the connection before it gets all of them
 * again.
 */
export function pageToEvents(page: FeedPage): Buffer {
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

// Reads the feed of a session: server-sent events, or polling where a proxy or the browser does not let them through.
import type { FeedItem } from './protocol.ts';

interface FeedOptions {
  url: string;
  onItem(item: FeedItem): void;
  onState(state: FeedState): void;
  pollMs?: number;
  pollTimeoutMs?: number;
}

export type FeedState = 'open' | 'trouble' | 'ended';

export interface FeedClient {
  close(): void;
  /** Connects at once, as when the network is back. */
  retry(): void;
}

/** After this time a page that polls tries a stream again. */
const streamAgainMs = 60_000;
/** Waits differ by half, so that not all pages of a session come back in one second. */
const jitter = 0.5;

export function createFeedClient({
  url,
  onItem,
  onState,
  pollMs = 5000,
  pollTimeoutMs = 10_000,
}: FeedOptions): FeedClient {
  let cursor: string | undefined;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polledSinceMs = 0;
  let isClosed = false;

  const addressed = (): string => (cursor === undefined ? url : `${url}?since=${encodeURIComponent(cursor)}`);
  const later = (work: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(work, pollMs * (1 - jitter / 2 + Math.random() * jitter));
  };

  const stream = (): void => {
    source?.close();
    if (isClosed) return;
    const opened = new EventSource(addressed());
    source = opened;
    opened.addEventListener('open', () => onState('open'));
    opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') cursor = lastEventId;
      onItem(JSON.parse(data) as FeedItem);
    });
    opened.addEventListener('error', () => {
      onState('trouble');
      // The browser connects again by itself, unless it got an answer that is no stream.
      if (opened.readyState !== EventSource.CLOSED) return;
      polledSinceMs = performance.now();
      later(() => void poll());
    });
  };

  const poll = async (): Promise<void> => {
    const before = source;
    const isOver = await readPage();
    if (isOver) return close();
    // `retry` has opened a stream.
    if (isClosed || source !== before) return;
    later(performance.now() - polledSinceMs > streamAgainMs ? stream : () => void poll());
  };

  /** True when the link is not valid any more. */
  const readPage = async (): Promise<boolean> => {
    try {
      const response = await fetch(addressed(), {
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(pollTimeoutMs),
      });
      if (response.status === 410) {
        onState('ended');
        return true;
      }
      if (!response.ok) throw new Error(response.statusText);
      const page = (await response.json()) as { items: FeedItem[]; cursor: string };
      cursor = page.cursor;
      for (const item of page.items) onItem(item);
      onState('open');
    } catch {
      onState('trouble');
    }
    return false;
  };

  const close = (): void => {
    isClosed = true;
    clearTimeout(timer);
    source?.close();
  };

  stream();
  return {
    close,
    retry() {
      if (source?.readyState === EventSource.OPEN) return;
      clearTimeout(timer);
      stream();
    },
  };
}

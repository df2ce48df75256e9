import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createFeedClient } from './feed-client.ts';

/** A browser behind a proxy that lets no stream through. */
class RefusedEventSource {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readonly readyState = RefusedEventSource.CLOSED;
  addEventListener(type: string, listener: () => void): void {
    if (type === 'error') queueMicrotask(listener);
  }
  close(): void {}
}

test('a poll that gets no answer is given up, and the next one is answered', async () => {
  vi.stubGlobal('EventSource', RefusedEventSource);
  let polls = 0;
  const server = createServer((_request, response) => {
    polls += 1;
    if (polls === 2) response.end('{"items":[{"type":"hidden","id":"message"}],"cursor":"1"}');
    if (polls === 3) response.writeHead(410).end();
  }).listen(0);
  await once(server, 'listening');
  const items: unknown[] = [];
  const states: string[] = [];
  const { port } = server.address() as AddressInfo;
  const feed = createFeedClient({
    url: `http://127.0.0.1:${port}/events`,
    onItem: (item) => items.push(item),
    onState: (state) => states.push(state),
    pollMs: 10,
    pollTimeoutMs: 50,
  });
  await expect.poll(() => states).toEqual(['trouble', 'trouble', 'open', 'ended']);
  expect(items).toEqual([{ type: 'hidden', id: 'message' }]);
  feed.close();
  server.closeAllConnections();
  server.close();
  vi.unstubAllGlobals();
});

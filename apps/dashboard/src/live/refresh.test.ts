import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createTRPCClient, httpLink } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ServiceRouter } from '../trpc.ts';
import { createRefresher, previewKey, queriesOf } from './refresh.ts';

/** A client with two webinars, a list of all of them and the keys. Returns the names of queries that became stale. */
function startClient() {
  const queryClient = new QueryClient();
  const keys = {
    list: ['acme', ['webinars', 'list'], { input: { limit: 50 }, type: 'query' }],
    one: ['acme', ['webinars', 'get'], { input: { webinarId: 'one' }, type: 'query' }],
    two: ['acme', ['webinars', 'get'], { input: { webinarId: 'two' }, type: 'query' }],
    keys: ['acme', ['keys', 'list'], { type: 'query' }],
  };
  const entries = Object.entries(keys);
  for (const [name, key] of entries) queryClient.setQueryData(key, name);
  const refresher = createRefresher({ queryClient, queriesOf: (topic) => [['acme', [topic]]] });
  const takeStale = (): string[] => {
    const stale = entries.filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated);
    for (const [name, key] of stale) queryClient.setQueryData(key, name);
    return stale.map(([name]) => name);
  };
  return { refresher, takeStale };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('a change of a webinar refreshes its queries and those about several, and no other topic', () => {
  const { refresher, takeStale } = startClient();
  refresher.refresh({ webinars: ['one'] });
  vi.advanceTimersByTime(0);
  expect(takeStale()).toEqual(['list', 'one']);
  refresher.refresh({ keys: [] });
  vi.advanceTimersByTime(0);
  expect(takeStale()).toEqual(['keys']);
});

test('changes that come faster than they can be shown are shown together, and none is lost', () => {
  const { refresher, takeStale } = startClient();
  let refreshes = 0;
  for (let tick = 0; tick < 600; tick += 1) {
    refresher.refresh({ webinars: [tick % 2 === 0 ? 'one' : 'two'] });
    vi.advanceTimersByTime(100);
    if (takeStale().length > 0) refreshes += 1;
  }
  // A minute of changes: at once, then after waits that double up to four seconds.
  expect(refreshes).toBeGreaterThan(10);
  expect(refreshes).toBeLessThan(25);
  refresher.refresh({ webinars: ['two'] });
  refresher.refresh({ webinars: ['one'] });
  vi.advanceTimersByTime(4000);
  expect(takeStale()).toEqual(['list', 'one', 'two']);
});

test('a closed refresher leaves no timer', () => {
  const { refresher, takeStale } = startClient();
  refresher.refresh({ webinars: [] });
  refresher.close();
  vi.advanceTimersByTime(10_000);
  expect(takeStale()).toEqual([]);
});

test('a change during the first read of a query makes its result stale', async () => {
  vi.useRealTimers();
  const queryClient = new QueryClient();
  const refresher = createRefresher({ queryClient, queriesOf: (topic) => [[topic]] });
  const { promise, resolve } = Promise.withResolvers<string>();
  const reading = queryClient.fetchQuery({ queryKey: ['keys', 'list'], queryFn: () => promise });
  refresher.refresh({ keys: [] });
  await vi.waitFor(() => expect(queryClient.getQueryState(['keys', 'list'])?.isInvalidated).toBe(true));
  resolve('as before the change');
  expect(await reading).toBe('as before the change');
  await vi.waitFor(() =>
    expect(queryClient.getQueryState(['keys', 'list'])).toMatchObject({
      data: 'as before the change',
      isInvalidated: true,
    }),
  );
});

test('a round of sends asks no tool for its catalogue, and a registration reads the waiting people and the previews', () => {
  const queryClient = new QueryClient();
  const client = createTRPCClient<ServiceRouter>({ links: [httpLink({ url: '/trpc' })] });
  const trpc = createTRPCOptionsProxy<ServiceRouter, { keyPrefix: true }>({
    client,
    queryClient,
    keyPrefix: 'acme',
  });
  const connectionId = crypto.randomUUID();
  const keys = {
    list: trpc.connections.list.queryKey({}),
    disconnected: trpc.connections.listDisconnected.queryKey(),
    catalogue: trpc.connections.catalogue.queryKey({ connectionId }),
    sends: trpc.contacts.listSends.queryKey({ connectionId }),
    preview: [...previewKey(trpc), connectionId, {}],
  };
  for (const key of Object.values(keys)) queryClient.setQueryData(key, {});
  const refresher = createRefresher({ queryClient, queriesOf: (topic) => queriesOf(topic, trpc) });
  const takeStale = (): string[] => {
    vi.advanceTimersByTime(0);
    const stale = Object.entries(keys).filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated);
    for (const [, key] of stale) queryClient.setQueryData(key, {});
    return stale.map(([name]) => name);
  };
  refresher.refresh({ connections: [] });
  expect(takeStale()).toEqual(['list', 'disconnected', 'sends']);
  refresher.refresh({ registrations: ['one'] });
  expect(takeStale()).toEqual(['list', 'disconnected', 'preview']);
});

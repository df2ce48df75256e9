import { expect, test } from 'vitest';
import { createMemberStreams } from './streams.ts';

test('a stream that its page has left stops listening to changes', async () => {
  const listeners = new Set<unknown>();
  const streams = createMemberStreams({
    query: async () => [],
    watch: {
      changedSince: () => 'everything',
      subscribe(_accountId, onChanged) {
        listeners.add(onChanged);
        return () => listeners.delete(onChanged);
      },
    },
    tokenOf: () => 'token',
    onFailure: (error) => expect.unreachable(String(error)),
  });
  const closing = new AbortController();
  const stream = streams.open({
    member: { kind: 'member', accountId: 'account-1', userId: 'user-1', name: 'Ada', role: 'owner' },
    connection: { headers: {}, drop: () => undefined },
    input: { ageMs: 0 },
    signal: closing.signal,
  });
  await stream.next();
  expect(listeners.size).toBe(1);
  closing.abort();
  await stream.next();
  expect(listeners.size).toBe(0);
  await streams.close();
});

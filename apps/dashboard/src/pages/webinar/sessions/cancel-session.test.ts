import { expect, test } from 'vitest';
import type { ServiceClient } from '../../../trpc.ts';
import { movePeople } from './cancel-session.tsx';

const move = { webinarId: 'w', sessionId: 's', sessionTime: '2026-12-01T18:00:00.000Z' };

/** A service with 250 people in the session. Each call moves 100 of them. */
function createClient() {
  const calls: (string | undefined)[] = [];
  const client = {
    registrations: {
      movePeople: {
        mutate: async ({ after }: { after?: string }) => {
          calls.push(after);
          const next = ['a', 'b', null][calls.length - 1];
          return { data: { moved: next === null ? 50 : 100, refused: [], next } };
        },
      },
    },
    sessions: { get: { query: async () => ({ data: { registrationCount: 0 } }) } },
  } as unknown as ServiceClient;
  return { calls, client };
}

test('people are moved call by call, and no call follows after a stop', async () => {
  const whole = createClient();
  const { signal } = new AbortController();
  const left = await movePeople(whole.client, move, { onMoved: () => undefined, signal });
  expect(left).toEqual({ count: 0, named: [] });
  expect(whole.calls).toEqual([undefined, 'a', 'b']);

  for (const [stopAt, calls] of [
    [100, 1],
    [250, 3],
  ]) {
    const stopped = createClient();
    const controller = new AbortController();
    const onMoved = (count: number) => {
      if (count === stopAt) controller.abort();
    };
    const { signal: stop } = controller;
    // Undefined after the last call too, so the session is not cancelled: that needs an answer that says that no person is left.
    expect(await movePeople(stopped.client, move, { onMoved, signal: stop })).toBeUndefined();
    expect(stopped.calls).toHaveLength(calls!);
  }
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RoomFailure, type HeartbeatOutput, type PathState, type VisitOutput } from './protocol.ts';
import type { RoomClient } from './room-client.ts';
import { createRoomSession } from './room-session.ts';

const opened: string[] = [];
const closed: string[] = [];

/** The stream of the feed, which never sends anything here. */
class SilentEventSource {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    opened.push(url);
  }
  addEventListener(): void {}
  close(): void {
    closed.push(this.url);
  }
}

beforeEach(() => {
  vi.stubGlobal('EventSource', SilentEventSource);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  opened.length = closed.length = 0;
});

const pathAt = (segmentId: string): PathState => ({ segmentId }) as PathState;
const poll = { id: 'poll', type: 'poll', answered: [] };
const visit = {
  visitId: 'visit',
  session: { status: 'live', isReplay: false, pace: 'own' },
  interactions: [poll],
  interactionsVersion: '1',
  path: pathAt('first'),
} as unknown as VisitOutput;
const beat = { playheadSeconds: 1, intervals: [], state: 'playing' as const, visible: true };
const unreachable = new RoomFailure({ code: 'network', status: 0, message: 'No answer.' });

/** A session whose service answers with these. */
const sessionWith = (answers: Partial<RoomClient>) =>
  createRoomSession({ eventsUrl: '/events', enter: async () => visit, ...answers } as RoomClient);

test('a page that the network lets enter early does not enter again when the next attempt is due', async () => {
  const enter = vi.fn(async () => visit).mockRejectedValueOnce(unreachable);
  const session = sessionWith({ enter });
  await session.open();
  session.retry();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(enter).toHaveBeenCalledTimes(2);
});

test('a closed page does not enter again, and closes its feed', async () => {
  const enter = vi.fn(async () => visit).mockRejectedValueOnce(unreachable);
  const refused = sessionWith({ enter });
  await refused.open();
  refused.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(enter).toHaveBeenCalledOnce();

  const entered = sessionWith({});
  await entered.open();
  entered.close();
  expect(closed).toEqual(opened);
  expect(opened).toEqual(['/events']);
});

test('the answer to a heartbeat that was sent before a branch was taken does not move the viewer back', async () => {
  const answer = Promise.withResolvers<HeartbeatOutput>();
  const session = sessionWith({
    beat: async () => ({ type: 'answered', answer: await answer.promise }),
    takeBranch: async () => pathAt('second'),
  });
  await session.open();
  session.beat(beat);
  await session.takeBranch('branch');
  answer.resolve({ status: 'live', path: pathAt('first') } as HeartbeatOutput);
  await vi.advanceTimersByTimeAsync(0);
  expect(session.getSnapshot().room?.path?.segmentId).toBe('second');
});

test('a vote counts once the service has taken it, and a refused one leaves the poll open', async () => {
  const answer = vi.fn(async () => null).mockRejectedValueOnce(unreachable);
  const session = sessionWith({ answer });
  await session.open();
  const answered = () => session.getSnapshot().room?.interactions[0]?.answered;
  const refusal = session.vote('poll', 'yes');
  expect(answered()).toEqual([]);
  expect(await refusal).toBe('network');
  expect(answered()).toEqual([]);
  expect(await session.vote('poll', 'yes')).toBeUndefined();
  expect(answered()).toEqual(['yes']);
});

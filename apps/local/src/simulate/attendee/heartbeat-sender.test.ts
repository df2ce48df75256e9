import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { Called, Heartbeat, Room } from '../service/room-client.ts';
import { createActionLog } from './action-log.ts';
import { createHeartbeatSender } from './heartbeat-sender.ts';
import { createPlayer, countSeconds } from './player.ts';
import { createSessionClock } from './session-clock.ts';
import type { SimulatedAttendee, World } from './simulated-attendee.ts';

/** A page that plays ten seconds before each heartbeat. Each call is answered after the given milliseconds. */
function createPage(answersAfterMs: readonly number[]) {
  let position = 0;
  const sent: Heartbeat[] = [];
  const answer = <Body>(beat: Heartbeat, body: Body): Promise<Called<Body>> => {
    const tookMs = answersAfterMs[sent.length]!;
    sent.push(beat);
    return Promise.resolve({ outcome: 'done', body, sentMs: 0, answeredMs: tookMs });
  };
  const room: Pick<Room, 'beat' | 'leave'> = {
    beat: (_join, beat) => answer(beat, { status: 'live', watchedSeconds: 0 }),
    leave: (_join, beat) => answer(beat, undefined),
  };
  const clock = createSessionClock(600);
  const actionLog = createActionLog();
  const player = createPlayer(() => position);
  player.play(0);
  const world = { room, clock, jitter: createRandom(1) } as unknown as World;
  const sender = createHeartbeatSender(world, { actionLog, join: 'j' } as unknown as SimulatedAttendee, {
    visitId: 'v',
    player,
  });
  return {
    async send(does: 'beat' | 'leave') {
      position += 10;
      sender[does]('playing');
      await Promise.resolve();
      await new Promise(setImmediate);
    },
    watched: () => [countSeconds(actionLog.watched), countSeconds(actionLog.watchedAtMost)],
  };
}

test('a heartbeat after a late one may earn less, and the one after it earns everything again', async () => {
  const page = createPage([100, 4100, 100, 100, 100]);
  const watched: number[][] = [];
  for (let n = 0; n < 4; n += 1) {
    await page.send('beat');
    watched.push(page.watched());
  }
  expect(watched).toEqual([
    [10, 10],
    [20, 20],
    [20, 30],
    [30, 40],
  ]);
});

test('the last report of a page after a late heartbeat may earn less', async () => {
  const page = createPage([4100, 100]);
  await page.send('beat');
  await page.send('leave');
  expect(page.watched()).toEqual([10, 20]);
});

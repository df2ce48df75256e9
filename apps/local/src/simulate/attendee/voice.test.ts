import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { Called, Heartbeat, Room } from '../service/room.ts';
import type { Performer, World } from './crowd.ts';
import { nothingDone } from './doings.ts';
import { createPlayer } from './player.ts';
import { countSeconds } from './seconds.ts';
import { createSessionClock } from './session-clock.ts';
import { createVoice } from './voice.ts';

/** A page that has played ten seconds more with each heartbeat; every call is answered after so many milliseconds. */
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
  const doings = nothingDone();
  const player = createPlayer(() => position);
  player.play(0);
  const world = { room, clock, jitter: createRandom(1) } as unknown as World;
  const voice = createVoice(world, { doings, join: 'j' } as unknown as Performer, { visitId: 'v', player });
  return {
    async send(does: 'beat' | 'leave') {
      position += 10;
      voice[does]('playing');
      await Promise.resolve();
      await new Promise(setImmediate);
    },
    watched: () => [countSeconds(doings.watched), countSeconds(doings.watchedAtMost)],
  };
}

test('a heartbeat after one that was late may earn less, and the one after it earns all again', async () => {
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

test('the last report of a page after a heartbeat that was late may earn less', async () => {
  const page = createPage([4100, 100]);
  await page.send('beat');
  await page.send('leave');
  expect(page.watched()).toEqual([10, 20]);
});

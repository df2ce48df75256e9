// One page of an attendee, from opening to closing.
import type { Heartbeat } from '../service/room.ts';
import type { Stay } from './behaviour.ts';
import type { Performer, World } from './crowd.ts';
import { createPlayer } from './player.ts';
import { createVoice } from './voice.ts';

/** How long after the video's end a page tells it, and how long it stays open after that. */
const endedWithinSeconds = 2;
const staysAfterSeconds = 6;
/** The first heartbeat comes soon, since it says that somebody is there. */
const firstBeatWithinSeconds = 0.5;

/** Opens a page now. It goes on by the agenda until it is closed. */
export async function openTab(world: World, performer: Performer, stay: Stay): Promise<void> {
  const { outcome, body } = await world.room.enter(performer.join);
  if (outcome !== 'done' || !body) return;
  for (const { id, clickUrl } of body.interactions)
    if (clickUrl !== undefined) performer.clickUrls.set(id, clickUrl);
  runTab(world, performer, { stay, visitId: body.visitId });
}

function runTab(
  world: World,
  performer: Performer,
  { stay, visitId }: { stay: Stay; visitId: string },
): void {
  const { agenda, clock, jitter, videoSeconds } = world;
  const player = createPlayer((atMs) => clock.positionAt(atMs));
  const voice = createVoice(world, performer, { visitId, player });
  let state: Heartbeat['state'] = 'playing';
  let isOpen = true;

  const inSeconds = (seconds: number, work: () => void): void =>
    agenda.at(performance.now() + seconds * 1000, () => isOpen && work());

  const atSecond = (second: number, work: () => void): void =>
    agenda.at(clock.timeOf(second), () => isOpen && work());

  const goOn = (): void => {
    if (state === 'ended') return;
    voice.beat(state);
    inSeconds(world.heartbeatSeconds * jitter.between(0.9, 1.1), goOn);
  };

  const pause = (): void => {
    player.pause(performance.now());
    state = 'paused';
    voice.beat(state);
  };

  const resume = (): void => {
    player.play(performance.now());
    state = 'playing';
    voice.beat(state);
  };

  const finish = (): void => {
    // What is left of the video must come before the host ends the session.
    if (voice.isSending()) return inSeconds(0.1, finish);
    state = 'ended';
    voice.beat(state);
    inSeconds(jitter.between(1, staysAfterSeconds), close);
  };

  const close = (): void => {
    isOpen = false;
    countTab(world, performer, -1);
    if (stay.ends === 'beacon') voice.leave(state === 'ended' ? 'ended' : 'paused');
  };

  countTab(world, performer, 1);
  player.play(performance.now());
  inSeconds(jitter.between(0, firstBeatWithinSeconds), goOn);
  clock.whenStarted(() => {
    for (const { from, to } of stay.pauses) {
      atSecond(from, pause);
      atSecond(to, resume);
    }
    if (stay.to < videoSeconds) atSecond(stay.to, close);
    else atSecond(videoSeconds + jitter.between(0.05, endedWithinSeconds), finish);
  });
}

function countTab({ tally }: World, performer: Performer, change: 1 | -1): void {
  performer.openTabs += change;
  tally.openTabs += change;
  if (performer.openTabs === (change === 1 ? 1 : 0)) tally.inRoom += change;
}

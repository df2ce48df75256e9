// One page of an attendee, from opening to closing.
import type { Heartbeat, Visit } from '../service/room-client.ts';
import type { Stay } from './behaviour.ts';
import type { SimulatedAttendee, World } from './simulated-attendee.ts';
import { interactionTypes, noteView } from './action-log.ts';
import { createPlayer } from './player.ts';
import { createHeartbeatSender } from './heartbeat-sender.ts';

/** Seconds from the end of the video to the last heartbeat, and from there to the closing of the page. */
const endedWithinSeconds = 2;
const staysAfterSeconds = 6;
/** The first heartbeat comes soon, because it counts as the join. */
const firstBeatWithinSeconds = 0.5;
/** Players are not exactly at the same second. */
const shownWithinSeconds = 1;

/** Opens a page now. It goes on by the agenda until it is closed. */
export async function openTab(world: World, attendee: SimulatedAttendee, stay: Stay): Promise<void> {
  const { outcome, body } = await world.room.enter(attendee.join);
  if (outcome !== 'done' || !body) return;
  for (const { id, clickUrl } of body.interactions)
    if (clickUrl !== undefined) attendee.clickUrls.set(id, clickUrl);
  runTab(world, attendee, { stay, visit: body });
}

function runTab(
  world: World,
  attendee: SimulatedAttendee,
  { stay, visit: { visitId, interactions } }: { stay: Stay; visit: Visit },
): void {
  const { agenda, clock, jitter, videoSeconds } = world;
  const player = createPlayer((atMs) => clock.positionAt(atMs));
  const sender = createHeartbeatSender(world, attendee, { visitId, player });
  let state: Heartbeat['state'] = 'playing';
  let isOpen = true;

  const inSeconds = (seconds: number, work: () => void): void =>
    agenda.at(performance.now() + seconds * 1000, () => isOpen && work());

  const atSecond = (second: number, work: () => void): void =>
    agenda.at(clock.timeOf(second), () => isOpen && work());

  const goOn = (): void => {
    if (state === 'ended') return;
    sender.beat(state);
    inSeconds(world.heartbeatSeconds * jitter.between(0.9, 1.1), goOn);
  };

  const pause = (): void => {
    player.pause(performance.now());
    state = 'paused';
    sender.beat(state);
  };

  const resume = (): void => {
    player.play(performance.now());
    state = 'playing';
    sender.beat(state);
  };

  const finish = (): void => {
    // The rest of the video must be reported before the host ends the session.
    if (sender.isSending()) return inSeconds(0.1, finish);
    state = 'ended';
    sender.beat(state);
    inSeconds(jitter.between(1, staysAfterSeconds), close);
  };

  const close = (): void => {
    isOpen = false;
    countTab(world, attendee, -1);
    if (stay.ends === 'beacon') sender.leave(state === 'ended' ? 'ended' : 'paused');
  };

  countTab(world, attendee, 1);
  player.play(performance.now());
  inSeconds(jitter.between(0, firstBeatWithinSeconds), goOn);
  clock.whenStarted(() => {
    for (const { from, to } of stay.pauses) {
      atSecond(from, pause);
      atSecond(to, resume);
    }
    for (const { id, showAtSeconds } of interactions)
      atSecond(showAtSeconds + jitter.between(0, shownWithinSeconds), () => void view(world, attendee, id));
    if (stay.to < videoSeconds) atSecond(stay.to, close);
    else atSecond(videoSeconds + jitter.between(0.05, endedWithinSeconds), finish);
  });
}

/** Reports that the page shows an interaction. Each page of an attendee reports it. */
async function view(
  { room, interactions }: World,
  { join, actionLog }: SimulatedAttendee,
  id: string,
): Promise<void> {
  const { outcome } = await room.view(join, id);
  for (const on of interactionTypes) if (interactions[on] === id) noteView(actionLog, on, outcome);
}

function countTab({ counters }: World, attendee: SimulatedAttendee, change: 1 | -1): void {
  attendee.openTabs += change;
  counters.openTabs += change;
  if (attendee.openTabs === (change === 1 ? 1 : 0)) counters.inRoom += change;
}

import { setTimeout as wait } from 'node:timers/promises';
import { performAction } from './attendee/action.ts';
import { lobbySeconds } from './attendee/behaviour.ts';
import type { SimulatedAttendee, World } from './attendee/simulated-attendee.ts';
import type { Programme } from './programme.ts';
import { openTab } from './attendee/tab.ts';

interface PlayOptions {
  programme: Programme;
  /** Starts or ends the session. */
  move(action: 'start' | 'end'): Promise<unknown>;
  stop: AbortSignal;
}

/** The host keeps the session open for a moment after the video, so that the last heartbeats count. */
const overtimeSeconds = 3;

/** Plays a session from its lobby to its end. A stop ends the session, if it has begun. */
export async function play(
  world: World,
  attendees: readonly SimulatedAttendee[],
  options: PlayOptions,
): Promise<void> {
  const { agenda, clock } = world;
  const { programme, move, stop } = options;
  const startsAtMs = performance.now() + lobbySeconds(programme) * 1000 + 1000;
  for (const attendee of attendees) {
    for (const stay of attendee.plan.stays) {
      const open = (): void => void openTab(world, attendee, stay);
      if (stay.from < 0) agenda.at(startsAtMs + stay.from * 1000, open);
      else clock.whenStarted(() => agenda.at(clock.timeOf(stay.from), open));
    }
    clock.whenStarted(() => {
      for (const action of attendee.plan.actions)
        agenda.at(clock.timeOf(action.at), () => performAction(world, attendee, action));
    });
  }
  await waitUntil(startsAtMs, stop);
  if (stop.aborted) return agenda.close();
  await move('start');
  clock.start(performance.now());
  await waitUntil(clock.timeOf(programme.seconds + overtimeSeconds), stop);
  if (stop.aborted) agenda.close();
  clock.end(performance.now());
  await move('end');
}

const waitUntil = (atMs: number, stop: AbortSignal): Promise<void> =>
  wait(Math.max(0, atMs - performance.now()), undefined, { signal: stop }).catch(() => undefined);

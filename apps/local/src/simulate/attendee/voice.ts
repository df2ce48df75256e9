// What the page of an attendee says to the service, and what of it counts.
import type { Called, Heartbeat } from '../service/room.ts';
import type { Performer, World } from './crowd.ts';
import { noteSign } from './doings.ts';
import type { Interval, Player } from './player.ts';
import { addPlayed } from './seconds.ts';

export interface Voice {
  /** A heartbeat; none while another one is on its way: what is played in the meantime waits for the next. */
  beat(state: Heartbeat['state']): void;
  isSending(): boolean;
  /** The last word of a page that is being closed. */
  leave(state: Heartbeat['state']): void;
}

interface Page {
  visitId: string;
  player: Player;
}

/** Every tenth heartbeat comes from a page that is hidden behind another one. */
const hiddenEvery = 10;

export function createVoice(world: World, performer: Performer, { visitId, player }: Page): Voice {
  const { room, clock } = world;
  let seq = 0;
  let isSending = false;

  const next = (state: Heartbeat['state'], isClosing: boolean): Heartbeat => {
    const nowMs = performance.now();
    seq += 1;
    return {
      visitId,
      seq,
      playheadSeconds: clock.positionAt(nowMs),
      intervals: player.take(nowMs),
      state,
      visible: !isClosing && seq % hiddenEvery !== 0,
    };
  };

  const send = async (state: Heartbeat['state']): Promise<void> => {
    isSending = true;
    const heartbeat = next(state, false);
    const called = await room.beat(performer.join, heartbeat);
    isSending = false;
    noteBeat(performer, called, heartbeat.intervals);
  };

  const sendLast = async (state: Heartbeat['state']): Promise<void> => {
    const heartbeat = next(state, true);
    noteLeave(world, performer, {
      called: await room.leave(performer.join, heartbeat),
      intervals: heartbeat.intervals,
    });
  };

  return {
    beat: (state) => void (isSending || send(state)),
    isSending: () => isSending,
    leave: (state) => void sendLast(state),
  };
}

function noteBeat(
  { doings }: Performer,
  { outcome, body, sentMs, answeredMs }: Called<{ status: string }>,
  intervals: readonly Interval[],
): void {
  // Before the start nothing counts, and after the end only what the service still waited for.
  if (outcome === 'refused' || body?.status === 'scheduled') return;
  if (body && body.status !== 'live') doings.watchedAtMost = addPlayed(doings.watchedAtMost, intervals);
  else noteSign(doings, { type: 'beat', sentMs, answeredMs, isSure: outcome === 'done' }, intervals);
}

/** The answer to a page that is being closed says nothing, so here it is the clock that tells. */
function noteLeave(
  { clock }: World,
  { doings }: Performer,
  { called, intervals }: { called: Called<unknown>; intervals: readonly Interval[] },
): void {
  const { outcome, sentMs, answeredMs } = called;
  if (outcome === 'refused' || sentMs > clock.endingAtMs()) return;
  if (answeredMs > clock.endingAtMs()) doings.watchedAtMost = addPlayed(doings.watchedAtMost, intervals);
  else noteSign(doings, { type: 'leave', sentMs, answeredMs, isSure: outcome === 'done' }, intervals);
}

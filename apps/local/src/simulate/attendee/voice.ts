// What the page of an attendee says to the service, and what of it counts.
import type { Called, Heartbeat } from '../service/room.ts';
import type { Performer, World } from './crowd.ts';
import { notePlayedAtMost, noteSign, type Doings } from './doings.ts';
import type { Interval, Player } from './player.ts';
import type { Sign } from './presence.ts';

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

/**
 * A heartbeat earns at most the time since the one before. The service keeps five seconds for one that was late, and the ends of
 * intervals are rounded to whole seconds.
 */
const lateMs = 4000;

/** Every tenth heartbeat comes from a page that is hidden behind another one. */
const hiddenEvery = 10;

export function createVoice(world: World, performer: Performer, { visitId, player }: Page): Voice {
  const { room, clock } = world;
  let seq = 0;
  let isSending = false;
  let wasLate = false;

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
    const { intervals, ...heartbeat } = next(state, false);
    const called = await room.beat(performer.join, { ...heartbeat, intervals });
    isSending = false;
    noteBeat(performer, called, { intervals, isWhole: !wasLate });
    wasLate = called.answeredMs - called.sentMs > lateMs;
  };

  const sendLast = async (state: Heartbeat['state']): Promise<void> => {
    const { intervals, ...heartbeat } = next(state, true);
    const isWhole = !wasLate;
    const called = await room.leave(performer.join, { ...heartbeat, intervals });
    noteLeave(world, performer, { called, intervals, isWhole });
  };

  return {
    beat: (state) => void (isSending || send(state)),
    isSending: () => isSending,
    leave: (state) => void sendLast(state),
  };
}

interface Played {
  intervals: readonly Interval[];
  /** False when the service may have cut it. */
  isWhole: boolean;
}

function note(doings: Doings, sign: Sign, { intervals, isWhole }: Played): void {
  noteSign(doings, sign, isWhole ? intervals : []);
  notePlayedAtMost(doings, intervals);
}

function noteBeat(
  { doings }: Performer,
  { outcome, body, sentMs, answeredMs }: Called<{ status: string }>,
  played: Played,
): void {
  // Before the start nothing counts, and after the end only what the service still waited for.
  if (outcome === 'refused' || body?.status === 'scheduled') return;
  if (body && body.status !== 'live') notePlayedAtMost(doings, played.intervals);
  else note(doings, { type: 'beat', sentMs, answeredMs, isSure: outcome === 'done' }, played);
}

/** The answer to a page that is being closed says nothing, so here it is the clock that tells. */
function noteLeave(
  { clock }: World,
  { doings }: Performer,
  { called, ...played }: Played & { called: Called<unknown> },
): void {
  const { outcome, sentMs, answeredMs } = called;
  if (outcome === 'refused' || sentMs > clock.endingAtMs()) return;
  if (answeredMs > clock.endingAtMs()) notePlayedAtMost(doings, played.intervals);
  else note(doings, { type: 'leave', sentMs, answeredMs, isSure: outcome === 'done' }, played);
}

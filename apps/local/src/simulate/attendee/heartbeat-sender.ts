// Sends the heartbeats of a page, and notes which of them count.
import type { Called, Heartbeat } from '../service/room-client.ts';
import type { SimulatedAttendee, World } from './simulated-attendee.ts';
import { notePlayedAtMost, noteSignal, type ActionLog } from './action-log.ts';
import type { Interval, Player } from './player.ts';
import type { Signal } from './presence.ts';

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

export function createHeartbeatSender(world: World, attendee: SimulatedAttendee, { visitId, player }: Page) {
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
    const called = await room.beat(attendee.join, { ...heartbeat, intervals });
    isSending = false;
    noteBeat(attendee, called, { intervals, isWhole: !wasLate });
    wasLate = called.answeredMs - called.sentMs > lateMs;
  };

  const sendLast = async (state: Heartbeat['state']): Promise<void> => {
    const { intervals, ...heartbeat } = next(state, true);
    const isWhole = !wasLate;
    const called = await room.leave(attendee.join, { ...heartbeat, intervals });
    noteLeave(world, attendee, { called, intervals, isWhole });
  };

  return {
    /** Sends a heartbeat, unless one is unanswered: then the next one contains its intervals. */
    beat: (state: Heartbeat['state']): void => void (isSending || send(state)),
    isSending: (): boolean => isSending,
    /** Sends the leave beacon of a page that is being closed. */
    leave: (state: Heartbeat['state']): void => void sendLast(state),
  };
}

interface Played {
  intervals: readonly Interval[];
  /** False when the service may have cut it. */
  isWhole: boolean;
}

function note(actionLog: ActionLog, signal: Signal, { intervals, isWhole }: Played): void {
  noteSignal(actionLog, signal, isWhole ? intervals : []);
  notePlayedAtMost(actionLog, intervals);
}

function noteBeat(
  { actionLog }: SimulatedAttendee,
  { outcome, body, sentMs, answeredMs }: Called<{ status: string }>,
  played: Played,
): void {
  // Before the start nothing counts, and after the end only heartbeats within the grace period of the service.
  if (outcome === 'refused' || body?.status === 'scheduled') return;
  if (body && body.status !== 'live') notePlayedAtMost(actionLog, played.intervals);
  else note(actionLog, { type: 'beat', sentMs, answeredMs, isSure: outcome === 'done' }, played);
}

/** The answer to a leave beacon has no body, so the clock decides whether it counts. */
function noteLeave(
  { clock }: World,
  { actionLog }: SimulatedAttendee,
  { called, ...played }: Played & { called: Called<unknown> },
): void {
  const { outcome, sentMs, answeredMs } = called;
  if (outcome === 'refused' || sentMs > clock.endingAtMs()) return;
  if (answeredMs > clock.endingAtMs()) notePlayedAtMost(actionLog, played.intervals);
  else note(actionLog, { type: 'leave', sentMs, answeredMs, isSure: outcome === 'done' }, played);
}

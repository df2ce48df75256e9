// Where a session is by the server's clock, so that a page changes from lobby to room without a call.
import type { RoomState } from './room-state.ts';

export type Stage = 'waiting' | 'playing' | 'over';

export function stageAt({ session }: Pick<RoomState, 'session'>, nowMs: number): Stage {
  const { status, pace, isReplay } = session;
  if (isReplay) return 'playing';
  if (status === 'ended' || status === 'cancelled') return 'over';
  if (pace === 'led') return status === 'live' ? 'playing' : 'waiting';
  if (nowMs < Date.parse(session.startsAt)) return 'waiting';
  return nowMs < Date.parse(session.endsAt) ? 'playing' : 'over';
}

export interface CountdownParts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** The time until a moment. Zero after it. */
export function countdownTo(moment: string, nowMs: number): CountdownParts {
  const total = Math.max(0, Math.ceil((Date.parse(moment) - nowMs) / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  };
}

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

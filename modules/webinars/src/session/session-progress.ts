import type { SessionStatus } from '../entities/enums.ts';

/** The fields of a session that progress calls change. */
export interface Progress {
  status: SessionStatus;
  positionSeconds: number;
  actualStartedAt: Date | null;
  actualEndedAt: Date | null;
}

export type Move = { action: 'start' | 'end' | 'reset' } | { action: 'seek'; positionSeconds: number };

const statusesFor: Record<Move['action'], readonly SessionStatus[]> = {
  start: ['scheduled'],
  seek: ['live'],
  end: ['live'],
  reset: ['scheduled', 'live', 'ended'],
};

const beforeStart: Progress = {
  status: 'scheduled',
  positionSeconds: 0,
  actualStartedAt: null,
  actualEndedAt: null,
};

/** Returns the progress after a move, or undefined if the status does not allow the move. */
export function moveProgress(progress: Progress, move: Move, now: Date): Progress | undefined {
  if (!statusesFor[move.action].includes(progress.status)) return undefined;
  if (move.action === 'seek') return { ...progress, positionSeconds: move.positionSeconds };
  if (move.action === 'start') return { ...progress, status: 'live', actualStartedAt: now };
  if (move.action === 'end') return { ...progress, status: 'ended', actualEndedAt: now };
  return beforeStart;
}

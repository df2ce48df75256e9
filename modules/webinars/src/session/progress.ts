import type { SessionStatus } from '../entities/session.ts';

/** What moves when a session is moved by hand. */
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

/** The progress after a move; undefined when the session's status does not allow it. */
export function moveProgress(progress: Progress, move: Move, now: Date): Progress | undefined {
  if (!statusesFor[move.action].includes(progress.status)) return undefined;
  if (move.action === 'seek') return { ...progress, positionSeconds: move.positionSeconds };
  if (move.action === 'start') return { ...progress, status: 'live', actualStartedAt: now };
  if (move.action === 'end') return { ...progress, status: 'ended', actualEndedAt: now };
  return beforeStart;
}

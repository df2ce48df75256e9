import { expect, test } from 'vitest';
import { type SessionStatus, sessionStatuses } from '../entities/enums.ts';
import { type Move, moveProgress, type Progress } from './control-session.ts';

const started = new Date('2026-12-01T17:00:00Z');
const ended = new Date('2026-12-01T18:00:00Z');
const now = new Date('2026-12-01T19:00:00Z');

const progressIn: Record<SessionStatus, Progress> = {
  scheduled: { status: 'scheduled', positionSeconds: 0, actualStartedAt: null, actualEndedAt: null },
  live: { status: 'live', positionSeconds: 40, actualStartedAt: started, actualEndedAt: null },
  ended: { status: 'ended', positionSeconds: 40, actualStartedAt: started, actualEndedAt: ended },
  cancelled: { status: 'cancelled', positionSeconds: 0, actualStartedAt: null, actualEndedAt: null },
};

const moves: Move[] = [
  { action: 'start' },
  { action: 'seek', positionSeconds: 90 },
  { action: 'end' },
  { action: 'reset' },
];

/** The result of every allowed move. */
const allowed: Record<string, Progress> = {
  'scheduled start': { ...progressIn.scheduled, status: 'live', actualStartedAt: now },
  'scheduled reset': progressIn.scheduled,
  'live seek': { ...progressIn.live, positionSeconds: 90 },
  'live end': { ...progressIn.live, status: 'ended', actualEndedAt: now },
  'live reset': progressIn.scheduled,
  'ended reset': progressIn.scheduled,
};

const table = sessionStatuses.flatMap((status) => moves.map((move) => ({ status, move })));

test.each(table)('$status: $move.action', ({ status, move }) => {
  expect(moveProgress(progressIn[status], move, now)).toEqual(allowed[`${status} ${move.action}`]);
});

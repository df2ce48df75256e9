// The pages of one attendee. Heartbeats are numbered in a page, so that one that is sent again, or overtakes another on its
// way, is known.
import type { Visit } from '../entities/attendance.ts';

/** The time that a new visit may still earn seconds with. */
type VisitBudget = Pick<Visit, 'usedUntilMs' | 'sharedUntilMs'>;

/** Pages of an attendee that are listened to; opening more makes the oldest ones unknown. */
export const visitsMax = 8;

const windowSize = 32;

/** The newest is the last. */
export function addVisit(
  visits: readonly Visit[],
  { id, now, ...budget }: { id: string; now: Date } & VisitBudget,
): Visit[] {
  const visit = { id, startedAtMs: now.getTime(), seqMax: 0, seqSeen: 0, creditedSeconds: 0, ...budget };
  return [...visits, visit].slice(-visitsMax);
}

export const findVisit = (visits: readonly Visit[], id: string): Visit | undefined =>
  visits.find((visit) => visit.id === id);

/** Counts a heartbeat's number; undefined when it has counted already, or is too old for anybody to know. */
export function countSeq(visit: Visit, seq: number): Visit | undefined {
  const ahead = seq - visit.seqMax;
  if (ahead > 0) {
    // Shifting by 32 would shift by 0.
    const older = ahead < windowSize ? visit.seqSeen << ahead : 0;
    return { ...visit, seqMax: seq, seqSeen: (older | 1) >>> 0 };
  }
  const bit = 1 << -ahead;
  if (-ahead >= windowSize || (visit.seqSeen & bit) !== 0) return undefined;
  return { ...visit, seqSeen: (visit.seqSeen | bit) >>> 0 };
}

/** Whether the heartbeat before the newest one has not come: it was lost, or is on its way. */
export const isMissingPrevious = ({ seqMax, seqSeen }: Visit): boolean =>
  seqMax > 1 && (seqSeen & 0b10) === 0;

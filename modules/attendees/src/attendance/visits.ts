// The visits (pages) of one attendee. Heartbeats are numbered per visit, so that repeated and late ones are recognised.
import type { Visit } from '../entities/attendance.ts';

/** The watch budget of a new visit. */
type VisitBudget = Pick<Visit, 'usedUntilMs' | 'sharedUntilMs'>;

/** Visits kept per attendee. A new one over the limit drops the oldest. */
export const visitsMax = 8;

const windowSize = 32;

/** Appends a visit, and drops the oldest over the limit. */
export function addVisit(
  visits: readonly Visit[],
  { id, now, ...budget }: { id: string; now: Date } & VisitBudget,
): Visit[] {
  const visit = { id, startedAtMs: now.getTime(), seqMax: 0, seqSeen: 0, creditedSeconds: 0, ...budget };
  return [...visits, visit].slice(-visitsMax);
}

export const findVisit = (visits: readonly Visit[], id: string): Visit | undefined =>
  visits.find((visit) => visit.id === id);

/** Counts the number of a heartbeat. Undefined if it has already counted, or is too old to know. */
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

/** True if the heartbeat before the newest one has not arrived: it was lost or is late. */
export const isMissingPrevious = ({ seqMax, seqSeen }: Visit): boolean =>
  seqMax > 1 && (seqSeen & 0b10) === 0;

// Decides which lane starts the next attempt. Only bookkeeping: nothing here waits or sends.
import { halfOf, mayStart, nextPace, nextWindow, slowMs } from './lane.ts';
import type { AttemptEnd, InFlightAttempt, Lane, LaneAccount, Limits, Pace } from './lane.ts';

/**
 * Lanes take turns, one delivery at a time, and no account takes more than half of the slots. An attempt that takes longer
 * than a second moves to a slot of the slow kind, and so does its lane. So receivers that hang block the fast slots for one
 * second at most, however many they are.
 */
export function createTurns({ inFlightMax, accountInFlightMax }: Limits) {
  // In the order of their starts.
  const attempts = new Set<InFlightAttempt>();
  // In the order of their turns. A lane is in one of the two while it may start something.
  const ready: Record<Pace, Set<Lane>> = { fast: new Set(), slow: new Set() };
  const inFlight: Record<Pace, number> = { fast: 0, slow: 0 };

  const resume = (lane: Lane): void => {
    if (mayStart(lane)) ready[lane.pace].add(lane);
  };

  const takeTurn = (pace: Pace, nowMs: number): Lane | undefined => {
    for (const lane of ready[pace]) {
      if (inFlight[pace] >= inFlightMax) return undefined;
      ready[pace].delete(lane);
      if (lane.pace !== pace) resume(lane);
      else if (lane.account.inFlight[pace] >= accountInFlightMax) lane.account.waitingForSlot[pace].add(lane);
      else if (mayStart(lane) && lane.restsUntil <= nowMs) return lane;
      else resumeOne(pace, lane.account);
    }
    return undefined;
  };

  // One slot is free, so one lane may try. To resume all of them would be a walk over all lanes for every attempt.
  const resumeOne = (pace: Pace, { waitingForSlot }: LaneAccount): void => {
    const [lane] = waitingForSlot[pace];
    if (lane === undefined) return;
    waitingForSlot[pace].delete(lane);
    resume(lane);
  };

  const takeSlot = (pace: Pace, account: LaneAccount): void => {
    inFlight[pace] += 1;
    account.inFlight[pace] += 1;
  };

  const freeSlot = (pace: Pace, account: LaneAccount): void => {
    inFlight[pace] -= 1;
    account.inFlight[pace] -= 1;
    resumeOne(pace, account);
  };

  return {
    inFlight: (): Record<Pace, number> => ({ ...inFlight }),

    /** Gives a lane turns again after it got deliveries, was refused, or rested. */
    resume,

    /** Starts the next attempt; undefined when none may start. A lane that `isUsable` refuses gets no turns until it is resumed. */
    startNext(nowMs: number, isUsable: (lane: Lane) => boolean): InFlightAttempt | undefined {
      for (const pace of ['fast', 'slow'] as const) {
        for (let lane = takeTurn(pace, nowMs); lane !== undefined; lane = takeTurn(pace, nowMs)) {
          if (!isUsable(lane)) {
            resumeOne(pace, lane.account);
            continue;
          }
          const attempt: InFlightAttempt = { lane, delivery: lane.waiting.shift()!, startedAt: nowMs, pace };
          lane.inFlight += 1;
          takeSlot(pace, lane.account);
          attempts.add(attempt);
          resume(lane);
          return attempt;
        }
      }
      return undefined;
    },

    /** Ends an attempt. Without `end` the attempt says nothing about its endpoint. */
    finish(attempt: InFlightAttempt, end: AttemptEnd | undefined): void {
      const { lane } = attempt;
      attempts.delete(attempt);
      freeSlot(attempt.pace, lane.account);
      if (end !== undefined) {
        lane.window = nextWindow(lane.window, end, lane.inFlight >= lane.window);
        lane.pace = nextPace(lane.pace, end);
      }
      lane.inFlight -= 1;
      resume(lane);
    },

    /** Moves attempts that take too long to slow slots while some are free, and their lanes to the slow pace. */
    moveSlow(nowMs: number): void {
      for (const attempt of attempts) {
        if (nowMs - attempt.startedAt <= slowMs) break;
        if (attempt.pace === 'slow') continue;
        const { lane } = attempt;
        if (lane.pace === 'fast') {
          lane.pace = 'slow';
          lane.window = halfOf(lane.window);
        }
        if (inFlight.slow >= inFlightMax || lane.account.inFlight.slow >= accountInFlightMax) continue;
        attempt.pace = 'slow';
        takeSlot('slow', lane.account);
        freeSlot('fast', lane.account);
      }
    },

    /** Resumes all lanes of an account: a slot may have been kept for a lane that does not need it any more. */
    resumeAll({ waitingForSlot }: LaneAccount): void {
      for (const lane of [...waitingForSlot.fast, ...waitingForSlot.slow]) resume(lane);
      waitingForSlot.fast.clear();
      waitingForSlot.slow.clear();
    },
  };
}

// Whose turn it is. Pure bookkeeping: nothing here waits or sends.
import { mayStart, type Flight, type Lane, type LaneAccount, type Pace } from './lane.ts';
import { fastMs, nextWindow, slowMs, type AttemptEnd } from './window.ts';

/**
 * Turns go round the lanes one delivery at a time, and no account takes more than half of the places. An attempt that takes
 * longer than a second no longer counts among the fast ones, and its endpoint's next ones wait for places of their own:
 * however many receivers hang, the others have theirs back within the second.
 */
export function createTurns(concurrency: number) {
  const flights = new Set<Flight>();
  // In order of their turns. A lane is in one of them while it may start something.
  const ready: Record<Pace, Set<Lane>> = { fast: new Set(), slow: new Set() };
  const inFlight: Record<Pace, number> = { fast: 0, slow: 0 };
  const accountMax = Math.max(1, Math.ceil(concurrency / 2));

  const queueUp = (lane: Lane): void => {
    if (mayStart(lane)) ready[lane.pace].add(lane);
  };

  const takeTurn = (pace: Pace, nowMs: number): Lane | undefined => {
    for (const lane of ready[pace]) {
      if (inFlight[pace] >= concurrency) return undefined;
      ready[pace].delete(lane);
      if (lane.pace !== pace) queueUp(lane);
      else if (lane.account.inFlight[pace] >= accountMax) lane.account.heldBack[pace].add(lane);
      else if (mayStart(lane) && lane.restsUntil <= nowMs) return lane;
      else letOneGo(pace, lane.account);
    }
    return undefined;
  };

  // One place is free, so one of those that are held back may try; all of them at once would be a walk for every attempt.
  const letOneGo = (pace: Pace, { heldBack }: LaneAccount): void => {
    const [lane] = heldBack[pace];
    if (lane === undefined) return;
    heldBack[pace].delete(lane);
    queueUp(lane);
  };

  const takePlace = (pace: Pace, account: LaneAccount): void => {
    inFlight[pace] += 1;
    account.inFlight[pace] += 1;
  };

  const givePlaceBack = (pace: Pace, account: LaneAccount): void => {
    inFlight[pace] -= 1;
    account.inFlight[pace] -= 1;
    letOneGo(pace, account);
  };

  return {
    inFlight: (): Record<Pace, number> => ({ ...inFlight }),

    /** Lets a lane have turns again: it got deliveries, or what stood in its way is over. */
    queueUp,

    /** Starts the next attempt that may start; undefined when none may. `isUsable` may refuse a lane for the moment. */
    next(nowMs: number, isUsable: (lane: Lane) => boolean): Flight | undefined {
      for (const pace of ['fast', 'slow'] as const) {
        for (let lane = takeTurn(pace, nowMs); lane !== undefined; lane = takeTurn(pace, nowMs)) {
          if (!isUsable(lane)) {
            letOneGo(pace, lane.account);
            continue;
          }
          const flight: Flight = { lane, delivery: lane.waiting.shift()!, startedAt: nowMs, pace };
          lane.inFlight += 1;
          takePlace(pace, lane.account);
          flights.add(flight);
          queueUp(lane);
          return flight;
        }
      }
      return undefined;
    },

    /** Ends an attempt. Without an `end` it says nothing about its endpoint. */
    finish(flight: Flight, end: AttemptEnd | undefined): void {
      const { lane } = flight;
      flights.delete(flight);
      givePlaceBack(flight.pace, lane.account);
      if (end !== undefined) {
        lane.window = nextWindow(lane.window, end, lane.inFlight >= lane.window);
        if (end.durationMs > slowMs) lane.pace = 'slow';
        else if (end.succeeded && end.durationMs <= fastMs) lane.pace = 'fast';
      }
      lane.inFlight -= 1;
      queueUp(lane);
    },

    /** Attempts that have taken too long move to the slow places, as far as there are any; so do their lanes. */
    moveSlow(nowMs: number): void {
      for (const flight of flights) {
        // In order of their starts.
        if (nowMs - flight.startedAt <= slowMs) break;
        if (flight.pace === 'slow') continue;
        const { lane } = flight;
        if (lane.pace === 'fast') {
          lane.pace = 'slow';
          lane.window = Math.max(1, Math.floor(lane.window / 2));
        }
        if (inFlight.slow >= concurrency || lane.account.inFlight.slow >= accountMax) continue;
        flight.pace = 'slow';
        takePlace('slow', lane.account);
        givePlaceBack('fast', lane.account);
      }
    },

    /** Lets every lane of an account try again: a place may have been kept for one that no longer wants it. */
    retryHeldBack({ heldBack }: LaneAccount): void {
      for (const lane of [...heldBack.fast, ...heldBack.slow]) queueUp(lane);
      heldBack.fast.clear();
      heldBack.slow.clear();
    },
  };
}

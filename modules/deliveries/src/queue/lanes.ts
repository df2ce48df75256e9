// What a worker holds, sorted by endpoint, and how much more it may claim. Pure bookkeeping: nothing here waits or sends.
import { endpointKey, type EndpointKey } from '../endpoint/endpoint-key.ts';
import type { ClaimedDelivery } from './claim.ts';
import { createLane, createLaneAccount, type Flight, type Lane, type LaneAccount } from './lane.ts';
import { createTurns } from './turns.ts';
import { windowFirst } from './window.ts';

interface LaneLimits {
  /** Attempts at once to endpoints that answer fast, and as many again to those that do not. */
  concurrency: number;
}

/** An endpoint of which more can be claimed, and how many. */
export interface HungryLane extends EndpointKey {
  room: number;
  /** What became due before has been claimed, in epoch seconds of the database. */
  since: number;
}

/** How many times the concurrency is held without having been started: in all, of one account and of one endpoint. */
const waitingTimes = 16;
const accountWaitingTimes = 4;
const endpointWaitingTimes = 2;

/** How many times its window is claimed ahead for an endpoint that answers fast. */
const claimAhead = 8;

/** Lanes kept that have nothing to do; what is known of an endpoint goes with its lane. */
const idleLanesMax = 20_000;

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes({ concurrency }: LaneLimits) {
  const lanes = new Map<string, Lane>();
  const accounts = new Map<string, LaneAccount>();
  // Lanes that have something to do or of which the queue has more: what has to be looked at when more is claimed.
  const busy = new Set<Lane>();
  const turns = createTurns(concurrency);
  const waitingMax = waitingTimes * concurrency;
  const accountWaitingMax = accountWaitingTimes * concurrency;
  let waiting = 0;

  const laneOf = (endpoint: EndpointKey): Lane => {
    const key = endpointKey(endpoint);
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = createLane(endpoint, accountOf(endpoint.accountId));
      lanes.set(key, lane);
      if (lanes.size > idleLanesMax) forgetIdle();
    }
    return lane;
  };

  const accountOf = (accountId: string): LaneAccount => {
    let account = accounts.get(accountId);
    if (account === undefined) {
      account = createLaneAccount();
      accounts.set(accountId, account);
    }
    return account;
  };

  const forgetIdle = (): void => {
    for (const [key, lane] of lanes) {
      if (lanes.size <= idleLanesMax / 2) break;
      if (!busy.has(lane)) lanes.delete(key);
    }
    const inUse = new Set([...lanes.values()].map((lane) => lane.accountId));
    for (const accountId of accounts.keys()) if (!inUse.has(accountId)) accounts.delete(accountId);
  };

  const isFull = (account: LaneAccount): boolean => account.waiting >= accountWaitingMax;

  const roomMax = ({ pace, window }: Lane): number =>
    pace === 'slow' ? window : Math.min(window * claimAhead, endpointWaitingTimes * concurrency);

  const roomOf = (lane: Lane): number =>
    roomMax(lane) - lane.waiting.length - (lane.pace === 'slow' ? lane.inFlight : 0);

  // A few at a time would be a statement for each of them.
  const isHungry = (lane: Lane, nowMs: number): boolean =>
    lane.hasMore &&
    lane.restsUntil <= nowMs &&
    lane.waiting.length <= roomMax(lane) / 2 &&
    roomOf(lane) > 0 &&
    !isFull(lane.account);

  return {
    inFlight: turns.inFlight,
    finish: turns.finish,
    moveSlow: turns.moveSlow,
    /** Lets a lane go on that was refused, or that rested. */
    resume: turns.queueUp,
    /** How many more may be held. */
    room: (): number => waitingMax - waiting,
    accountWaitingMax,
    laneOf,
    isHungry,

    /** Puts claimed deliveries into their lanes. Returns the lanes. */
    add(deliveries: readonly ClaimedDelivery[]): Set<Lane> {
      const filled = new Set<Lane>();
      for (const delivery of deliveries) {
        const lane = laneOf(delivery);
        putInOrder(lane.waiting, delivery);
        lane.account.waiting += 1;
        filled.add(lane);
        busy.add(lane);
        turns.queueUp(lane);
      }
      waiting += deliveries.length;
      return filled;
    },

    /** Starts the next attempt that may start; undefined when none may. `isUsable` may refuse a lane until it is resumed. */
    next(nowMs: number, isUsable: (lane: Lane) => boolean): Flight | undefined {
      const flight = turns.next(nowMs, isUsable);
      if (flight === undefined) return undefined;
      flight.lane.account.waiting -= 1;
      waiting -= 1;
      return flight;
    },

    /** Nothing more is sent to it until then. */
    rest(lane: Lane, untilMs: number): void {
      lane.restsUntil = Math.max(lane.restsUntil, untilMs);
      busy.add(lane);
    },

    retryHeldBack(): void {
      for (const account of accounts.values()) turns.retryHeldBack(account);
    },

    /** Takes out of lanes what `isUnwanted` says; `place` is how many wait before it. */
    takeOut(
      isUnwanted: (delivery: ClaimedDelivery, lane: Lane, place: number) => boolean,
      of: Iterable<Lane> = busy,
    ): ClaimedDelivery[] {
      const taken: ClaimedDelivery[] = [];
      for (const lane of of) {
        const kept = lane.waiting.filter((delivery, place) => {
          const unwanted = isUnwanted(delivery, lane, place);
          if (unwanted) taken.push(delivery);
          return !unwanted;
        });
        const count = lane.waiting.length - kept.length;
        if (count === 0) continue;
        lane.waiting = kept;
        lane.account.waiting -= count;
        waiting -= count;
      }
      return taken;
    },

    /** The queue has more of this endpoint than was claimed. */
    noteMore(endpoint: EndpointKey): void {
      const lane = laneOf(endpoint);
      lane.hasMore = true;
      busy.add(lane);
    },

    /** What of it became due before has been claimed, and the queue has more, or it has not. */
    noteServed(endpoint: EndpointKey, { until, isDry }: { until: number; isDry: boolean }): void {
      const lane = laneOf(endpoint);
      lane.servedUntil = isDry ? 0 : until;
      lane.hasMore = !isDry;
    },

    /** Something may have come in between that was not there to be claimed. */
    serveAnew(): void {
      for (const lane of busy) lane.servedUntil = 0;
    },

    /** What a look at the queue should leave out, since no more of it can be held; all of it may have more. */
    full(nowMs: number): { endpoints: string[]; accounts: string[] } {
      const endpoints: string[] = [];
      for (const lane of busy) {
        if (roomOf(lane) > 0 && lane.restsUntil <= nowMs && !lane.hasMore) {
          if (lane.waiting.length === 0 && lane.inFlight === 0) busy.delete(lane);
          continue;
        }
        lane.hasMore = true;
        endpoints.push(lane.endpointId);
      }
      const full = [...accounts].filter(([, account]) => isFull(account));
      return { endpoints, accounts: full.map(([accountId]) => accountId) };
    },

    /** Whether accounts that were full have room for a good deal again. */
    haveAccountsRoom: (): boolean =>
      [...accounts.values()].every((account) => account.waiting <= accountWaitingMax / 2),

    isAnyHungry(nowMs: number): boolean {
      for (const lane of busy) if (isHungry(lane, nowMs)) return true;
      return false;
    },

    /** Endpoints of which more can be claimed; a few of each when it is many. They go to the end of the line. */
    hungry(nowMs: number): HungryLane[] {
      const budget = Math.min(accountWaitingMax, waitingMax - waiting);
      const wanting = [...busy].filter((lane) => isHungry(lane, nowMs));
      const evenShare = Math.floor(budget / Math.max(1, wanting.length));
      const share = Math.min(budget, Math.max(windowFirst, evenShare));
      return wanting.slice(0, Math.floor(budget / share)).map((lane) => {
        busy.delete(lane);
        busy.add(lane);
        const { accountId, endpointId, servedUntil: since } = lane;
        return { accountId, endpointId, room: Math.min(share, roomOf(lane)), since };
      });
    },
  };
}

/** First tries go before retries, each in the order they came. */
function putInOrder(waiting: ClaimedDelivery[], delivery: ClaimedDelivery): void {
  const isLast = delivery.attempts > 0 || !((waiting.at(-1)?.attempts ?? 0) > 0);
  const firstRetry = isLast ? -1 : waiting.findIndex(({ attempts }) => attempts > 0);
  if (firstRetry === -1) waiting.push(delivery);
  else waiting.splice(firstRetry, 0, delivery);
}

// All lanes of a worker and how much more it may claim. Only bookkeeping: nothing here waits or sends.
import { endpointKey, type EndpointKey } from '../endpoint/endpoint.ts';
import type { Destination } from '../endpoint/open-destinations.ts';
import type { ClaimedDelivery } from '../queue/lease.ts';
import {
  backlogShare,
  capacityOf,
  createLane,
  createLaneAccount,
  isAtLimit,
  isLeftOutOfScans,
  limitsOf,
  mayClaimBacklog,
  type InFlightAttempt,
  type Lane,
  type LaneAccount,
} from './lane.ts';
import { createTurns } from './turns.ts';

/** A part of an endpoint's backlog that is to be claimed. */
export interface BacklogPart extends EndpointKey {
  /** The most deliveries to claim. */
  count: number;
  /** The backlog has been claimed up to this due time, in epoch seconds of the database. */
  since: number;
}

/** Lanes that are remembered. The worker forgets the window of an endpoint together with its lane. */
const lanesMax = 20_000;

export type Lanes = ReturnType<typeof createLanes>;

export function createLanes({ concurrency }: { concurrency: number }) {
  const limits = limitsOf(concurrency);
  const lanes = new Map<string, Lane>();
  const accounts = new Map<string, LaneAccount>();
  // Lanes with deliveries, with a backlog, or that rest. All other lanes are idle.
  const busy = new Set<Lane>();
  const turns = createTurns(limits);
  let waiting = 0;

  /** The lane that was asked for last. Deliveries of one endpoint often follow each other. */
  let last: Lane | undefined;

  const getOrCreateLane = (endpoint: EndpointKey): Lane => {
    if (last?.endpointId === endpoint.endpointId && last.accountId === endpoint.accountId) return last;
    const key = endpointKey(endpoint);
    let lane = lanes.get(key);
    if (lane === undefined) {
      if (lanes.size >= lanesMax) forgetIdle();
      lane = createLane(endpoint, getOrCreateAccount(endpoint.accountId));
      lanes.set(key, lane);
    }
    last = lane;
    return lane;
  };

  const getOrCreateAccount = (accountId: string): LaneAccount => {
    let account = accounts.get(accountId);
    if (account === undefined) {
      account = createLaneAccount();
      accounts.set(accountId, account);
    }
    return account;
  };

  const forgetIdle = (): void => {
    for (const [key, lane] of lanes) {
      if (lanes.size <= lanesMax / 2) break;
      if (!busy.has(lane)) lanes.delete(key);
    }
    const inUse = new Set([...lanes.values()].map((lane) => lane.accountId));
    for (const accountId of accounts.keys()) if (!inUse.has(accountId)) accounts.delete(accountId);
  };

  return {
    accountWaitingMax: limits.accountWaitingMax,
    inFlight: turns.inFlight,
    finish: turns.finish,
    moveSlow: turns.moveSlow,
    resume: turns.resume,
    resumeAll: (): void => accounts.forEach((account) => turns.resumeAll(account)),

    /** No lane has deliveries or a backlog, or rests, as of the last `removeIdle`. */
    areIdle: (): boolean => busy.size === 0,

    /** The number of deliveries that may still be claimed. */
    capacity: (): number => limits.waitingMax - waiting,

    /** The lane of an endpoint. */
    of: getOrCreateLane,

    /** Puts claimed deliveries into their lanes. Returns these lanes. */
    add(deliveries: readonly ClaimedDelivery[]): Set<Lane> {
      const filled = new Set<Lane>();
      for (const delivery of deliveries) {
        const lane = getOrCreateLane(delivery);
        putInOrder(lane.waiting, delivery);
        lane.account.waiting += 1;
        filled.add(lane);
        busy.add(lane);
        turns.resume(lane);
      }
      waiting += deliveries.length;
      return filled;
    },

    /** Starts the next attempt; undefined when none may start. A lane that `isUsable` refuses gets no turns until it is resumed. */
    startNext(nowMs: number, isUsable: (lane: Lane) => boolean): InFlightAttempt | undefined {
      const attempt = turns.startNext(nowMs, isUsable);
      if (attempt === undefined) return undefined;
      attempt.lane.account.waiting -= 1;
      waiting -= 1;
      return attempt;
    },

    /** Starts nothing more for this lane until then. */
    rest(lane: Lane, untilMs: number): void {
      lane.restsUntil = Math.max(lane.restsUntil, untilMs);
      busy.add(lane);
    },

    /** Lanes that rest. */
    resting: (nowMs: number): Lane[] => [...busy].filter((lane) => lane.restsUntil > nowMs),

    /** Sets what was read about the endpoint of a lane. A new URL ends the rest, because the receiver at the former one asked for it. */
    setDestination(lane: Lane, destination: Destination | undefined, validUntil: number): void {
      if (destination?.url !== lane.destination?.url) lane.restsUntil = 0;
      lane.destination = destination;
      lane.destinationValidUntil = validUntil;
    },

    /** Takes deliveries that `isUnwanted` selects out of their lanes. `place` is the number of deliveries before it in its lane. */
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

    /** Has the destinations of these endpoints read again before anything more is sent to them. */
    expireDestinations(endpoints: readonly EndpointKey[]): void {
      for (const endpoint of endpoints) {
        const lane = lanes.get(endpointKey(endpoint));
        if (lane) lane.destinationValidUntil = Number.NEGATIVE_INFINITY;
      }
    },

    /** Endpoints and accounts that a scan of the queue leaves out, because no more can be claimed for them. */
    leftOutOfScans(nowMs: number): { endpoints: EndpointKey[]; accounts: string[] } {
      const atLimit = [...accounts].filter(([, account]) => isAtLimit(account, limits));
      return {
        endpoints: [...busy].filter((lane) => isLeftOutOfScans(lane, limits, nowMs)),
        accounts: atLimit.map(([accountId]) => accountId),
      };
    },

    /** True if accounts that were left out of scans can take many deliveries again. */
    haveAccountsCapacity: (): boolean =>
      [...accounts.values()].every((account) => account.waiting <= limits.accountWaitingMax / 2),

    /** Records that the queue may contain more for this endpoint than was claimed. */
    markBacklog(endpoint: EndpointKey): void {
      const lane = getOrCreateLane(endpoint);
      lane.hasBacklog = true;
      busy.add(lane);
    },

    /** Records how far this endpoint's backlog has been claimed. `isDry` means nothing is left. */
    recordBacklogClaim(endpoint: EndpointKey, { until, isDry }: { until: number; isDry: boolean }): void {
      const lane = getOrCreateLane(endpoint);
      lane.claimedUntil = isDry ? 0 : until;
      lane.hasBacklog = !isDry;
    },

    /** Has all backlogs claimed from the beginning: a row may have become visible after later ones were claimed. */
    restartBacklogs(): void {
      for (const lane of busy) lane.claimedUntil = 0;
    },

    mayClaimBacklog: (lane: Lane, nowMs: number): boolean => mayClaimBacklog(lane, limits, nowMs),

    hasClaimableBacklog(nowMs: number): boolean {
      if (waiting >= limits.waitingMax) return false;
      for (const lane of busy) if (mayClaimBacklog(lane, limits, nowMs)) return true;
      return false;
    },

    /** Chooses the backlogs to claim next, and moves their lanes to the end of the line. */
    takeBacklogTurns(nowMs: number): BacklogPart[] {
      const budget = Math.min(limits.accountWaitingMax, limits.waitingMax - waiting);
      const claimable = [...busy].filter((lane) => mayClaimBacklog(lane, limits, nowMs));
      const share = backlogShare(budget, claimable.length);
      return claimable.slice(0, Math.floor(budget / share)).map((lane) => {
        busy.delete(lane);
        busy.add(lane);
        const { accountId, endpointId, claimedUntil: since } = lane;
        return { accountId, endpointId, count: Math.min(share, capacityOf(lane, limits)), since };
      });
    },

    /** Removes lanes with nothing to do from the busy ones. */
    removeIdle(nowMs: number): void {
      for (const lane of busy) {
        const hasWork = lane.waiting.length > 0 || lane.inFlight > 0;
        if (!hasWork && !isLeftOutOfScans(lane, limits, nowMs)) busy.delete(lane);
      }
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

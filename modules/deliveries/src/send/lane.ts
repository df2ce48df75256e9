// A lane and its rules: how much may be claimed for it, and how many attempts may be in flight. The rules are pure functions;
// lanes.ts and turns.ts change the state.
import type { EndpointKey } from '../endpoint/endpoint.ts';
import type { Destination } from '../endpoint/open-destinations.ts';
import type { ClaimedDelivery } from '../queue/lease.ts';

/** The window of an endpoint without a history. A slow endpoint gets no more than this. */
export const windowFirst = 8;

/** Attempts to endpoints that answer fast take slots of one kind, attempts to slow endpoints take slots of the other. */
export type Pace = 'fast' | 'slow';

/** The deliveries that a worker has claimed for one endpoint, and what the worker knows about that endpoint. */
export interface Lane extends EndpointKey {
  /** Claimed and not started. First tries come before retries, each in the order they were claimed. */
  waiting: ClaimedDelivery[];
  inFlight: number;
  /** The most attempts that may be in flight. */
  window: number;
  pace: Pace;
  /** The queue may contain more due deliveries for this endpoint than were claimed. */
  hasBacklog: boolean;
  /** The backlog has been claimed up to this due time, in epoch seconds of the database. 0: claim from the beginning. */
  claimedUntil: number;
  /** Nothing is sent before this time of `performance.now()`. */
  restsUntil: number;
  destination: Destination | undefined;
  /** The destination must be read again after this time of `performance.now()`. */
  destinationValidUntil: number;
  account: LaneAccount;
}

/** The use that an account makes of this worker. */
export interface LaneAccount {
  /** Claimed and not started. */
  waiting: number;
  inFlight: Record<Pace, number>;
  /** Lanes that could start an attempt if the account were not at its limit, in order. */
  waitingForSlot: Record<Pace, Set<Lane>>;
}

export interface InFlightAttempt {
  lane: Lane;
  delivery: ClaimedDelivery;
  startedAt: number;
  /** The kind of slot that the attempt takes. */
  pace: Pace;
}

export const createLane = ({ accountId, endpointId }: EndpointKey, account: LaneAccount): Lane => ({
  accountId,
  endpointId,
  waiting: [],
  inFlight: 0,
  window: windowFirst,
  pace: 'fast',
  hasBacklog: false,
  claimedUntil: 0,
  restsUntil: 0,
  destination: undefined,
  destinationValidUntil: Number.NEGATIVE_INFINITY,
  account,
});

export const createLaneAccount = (): LaneAccount => ({
  waiting: 0,
  inFlight: { fast: 0, slow: 0 },
  waitingForSlot: { fast: new Set(), slow: new Set() },
});

/** The largest window of an endpoint, for each worker. */
const windowMax = 64;

/** An answer within this time is fast, in milliseconds. */
const fastMs = 500;
/** An attempt that takes longer than this is slow, in milliseconds. */
export const slowMs = 1000;

/** An endpoint that answers fast gets this many times its window claimed ahead. */
const claimAhead = 8;

/** The result of an attempt, reduced to what it says about the endpoint. */
export interface AttemptEnd {
  succeeded: boolean;
  durationMs: number;
}

export interface Limits {
  /** Attempts in flight of one pace. */
  inFlightMax: number;
  accountInFlightMax: number;
  /** Deliveries that are claimed and not started: in all, of one account, of one endpoint. */
  waitingMax: number;
  accountWaitingMax: number;
  endpointWaitingMax: number;
}

export const limitsOf = (concurrency: number): Limits => ({
  inFlightMax: concurrency,
  accountInFlightMax: Math.max(1, Math.ceil(concurrency / 2)),
  waitingMax: 16 * concurrency,
  accountWaitingMax: 4 * concurrency,
  endpointWaitingMax: 2 * concurrency,
});

/**
 * The window after an attempt has ended. A fast success while the window is full adds one, so the window doubles with every
 * round. Slow answers lead back to the first window. A failure halves the window. The same rules as TCP's congestion window
 * (RFC 5681), applied to a receiver.
 */
export function nextWindow(window: number, end: AttemptEnd, wasFull: boolean): number {
  if (!end.succeeded) return halfOf(window);
  if (end.durationMs > slowMs && window > windowFirst) return window - 1;
  if (window < windowFirst) return window + 1;
  return wasFull && end.durationMs <= fastMs ? Math.min(windowMax, window + 1) : window;
}

export const halfOf = (window: number): number => Math.max(1, Math.floor(window / 2));

export function nextPace(pace: Pace, { succeeded, durationMs }: AttemptEnd): Pace {
  if (durationMs > slowMs) return 'slow';
  return succeeded && durationMs <= fastMs ? 'fast' : pace;
}

export const mayStart = (lane: Lane): boolean => lane.waiting.length > 0 && lane.inFlight < lane.window;

export const isAtLimit = (account: LaneAccount, { accountWaitingMax }: Limits): boolean =>
  account.waiting >= accountWaitingMax;

/** The number of deliveries that may be claimed for a lane. */
export const capacityOf = (lane: Lane, limits: Limits): number =>
  claimMax(lane, limits) - lane.waiting.length - (lane.pace === 'slow' ? lane.inFlight : 0);

const claimMax = ({ pace, window }: Lane, { endpointWaitingMax }: Limits): number =>
  pace === 'slow' ? window : Math.min(window * claimAhead, endpointWaitingMax);

/** True if the backlog of a lane is to be claimed now. Half of the lane must be free: a statement for each delivery costs too much. */
export const mayClaimBacklog = (lane: Lane, limits: Limits, nowMs: number): boolean =>
  lane.hasBacklog &&
  lane.restsUntil <= nowMs &&
  lane.waiting.length <= claimMax(lane, limits) / 2 &&
  capacityOf(lane, limits) > 0 &&
  !isAtLimit(lane.account, limits);

/** A scan of the queue leaves these endpoints out. Their deliveries are claimed from their backlog later. */
export const isLeftOutOfScans = (lane: Lane, limits: Limits, nowMs: number): boolean =>
  lane.hasBacklog || lane.restsUntil > nowMs || capacityOf(lane, limits) <= 0;

/** The number of deliveries for each lane. With many lanes, some of them get a full first window and the others none. */
export const backlogShare = (budget: number, lanes: number): number =>
  Math.min(budget, Math.max(windowFirst, Math.floor(budget / Math.max(1, lanes))));

// State of a lane. Its rules are in lane-policy.ts, the collection of all lanes in lanes.ts.
import type { Destination } from '../endpoint/open-destinations.ts';
import type { EndpointKey } from '../endpoint/endpoint.ts';
import type { ClaimedDelivery } from '../queue/claim.ts';

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

import type { Destination } from '../endpoint/destinations.ts';
import type { EndpointKey } from '../endpoint/endpoint-key.ts';
import type { ClaimedDelivery } from './claim.ts';
import { windowFirst } from './window.ts';

/** Attempts to endpoints that answer fast take places of one kind, those to endpoints that do not of the other. */
export type Pace = 'fast' | 'slow';

/** What a worker holds for one endpoint, and what it knows of it. */
export interface Lane extends EndpointKey {
  /** Claimed and not started, oldest first. */
  waiting: ClaimedDelivery[];
  inFlight: number;
  /** Most in flight at once. */
  window: number;
  pace: Pace;
  /** The queue has more for it than was claimed. */
  hasMore: boolean;
  /** What became due before has been claimed, in epoch seconds of the database; 0 if nobody knows. */
  servedUntil: number;
  /** Nothing is sent before, by `performance.now()`. */
  restsUntil: number;
  destination: Destination | undefined;
  /** Its destination may be relied on until then, by `performance.now()`. */
  knownUntil: number;
  account: LaneAccount;
}

/** What an account has of a worker. */
export interface LaneAccount {
  /** Claimed and not started. */
  waiting: number;
  /** Places its attempts take. */
  inFlight: Record<Pace, number>;
  /** Lanes that could go on if the account had not its share already, in order. */
  heldBack: Record<Pace, Set<Lane>>;
}

/** One attempt under way. */
export interface Flight {
  lane: Lane;
  delivery: ClaimedDelivery;
  startedAt: number;
  /** Whose place it takes. */
  pace: Pace;
}

export const createLane = ({ accountId, endpointId }: EndpointKey, account: LaneAccount): Lane => ({
  accountId,
  endpointId,
  waiting: [],
  inFlight: 0,
  window: windowFirst,
  pace: 'fast',
  hasMore: false,
  servedUntil: 0,
  restsUntil: 0,
  destination: undefined,
  knownUntil: Number.NEGATIVE_INFINITY,
  account,
});

export const createLaneAccount = (): LaneAccount => ({
  waiting: 0,
  inFlight: { fast: 0, slow: 0 },
  heldBack: { fast: new Set(), slow: new Set() },
});

export const mayStart = (lane: Lane): boolean => lane.waiting.length > 0 && lane.inFlight < lane.window;

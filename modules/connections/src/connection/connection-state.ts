// Decides about the state of a connection and when people are told. Pure: record-outcome.ts locks the row, calls these functions and
// writes the result. A connection has at most one open notice, that of its present state, and the first success closes it.
import type { ConnectionState } from './connection.ts';

export interface Health {
  state: ConnectionState;
  /** The time at which the state began. */
  since: Date;
  /** The provider's own words. Null when connected. */
  reason: string | null;
  /** Failures in a row that a repetition may cure, and the time of the first of them. */
  laters: number;
  firstLaterAt: Date | null;
  /** The next time to tell people about the state. Null: nothing to tell. */
  tellAt: Date | null;
  /** How often people were told about the state since it began. */
  tells: number;
  /** The last time that people were told about this connection, and the state that they were told. */
  toldAt: Date | null;
  toldState: ConnectionState | null;
}

export type Observation =
  | { kind: 'worked' }
  /** Nothing was accepted, and a repetition may help. */
  | { kind: 'later'; reason: string }
  /** A verification proved that the credential is refused. */
  | { kind: 'refused'; reason: string }
  /** The credential is valid, but the sender's domain is not verified or a setting does not fit. */
  | { kind: 'unsuitable'; reason: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A connection fails from this many failures in a row, or after this time without a success. */
const failingLaters = 5;
const failingAfterMs = 10 * minuteMs;

/** The times to tell people, from the beginning of the state. */
const tellAfterMs: Record<ConnectionState, readonly number[]> = {
  connected: [],
  failing: [30 * minuteMs],
  disconnected: [0, dayMs, 7 * dayMs],
  attention: [0],
};

/** The shortest time between two tells of one state, so that a connection whose state goes back and forth causes few mails. */
const tellGapMs: Record<ConnectionState, number> = {
  connected: 0,
  failing: hourMs,
  disconnected: hourMs,
  attention: dayMs,
};

/** The health of a new connection, after its credential was verified. */
export const newHealth = (now: Date): Health => ({
  state: 'connected',
  since: now,
  reason: null,
  laters: 0,
  firstLaterAt: null,
  tellAt: null,
  tells: 0,
  toldAt: null,
  toldState: null,
});

export function afterObservation(health: Health, observation: Observation, now: Date): Health {
  if (observation.kind === 'worked') {
    const { toldAt, toldState } = health;
    const since = health.state === 'connected' ? health.since : now;
    return { ...newHealth(now), since, toldAt, toldState };
  }
  const { reason } = observation;
  if (observation.kind === 'refused') return enter(health, 'disconnected', reason, now);
  // Mails that were sent before the credential was refused may end later. Only a success ends the state.
  if (health.state === 'disconnected') return health;
  if (observation.kind === 'unsuitable') return enter(withoutLaters(health), 'attention', reason, now);
  const counted = { ...health, laters: health.laters + 1, firstLaterAt: health.firstLaterAt ?? now };
  return isFailing(counted, now) ? enter(counted, 'failing', reason, now) : counted;
}

const withoutLaters = (health: Health): Health => ({ ...health, laters: 0, firstLaterAt: null });

function isFailing({ laters, firstLaterAt }: Health, now: Date): boolean {
  return laters >= failingLaters || now.getTime() - (firstLaterAt ?? now).getTime() >= failingAfterMs;
}

/** Begins a state with its notice. A state that goes on keeps its begin, and the newest reason. */
function enter(health: Health, state: ConnectionState, reason: string, now: Date): Health {
  if (health.state !== state)
    return withNextTell({ ...health, state, since: now, reason, tells: 0, tellAt: null }, now);
  // Attention is told again only because of a new refusal.
  const mayRepeat = state === 'attention' && health.tellAt === null;
  return mayRepeat ? withNextTell({ ...health, reason, tells: 0 }, now) : { ...health, reason };
}

/** After people were told. */
export const afterTell = (health: Health, now: Date): Health =>
  withNextTell({ ...health, tells: health.tells + 1, toldAt: now, toldState: health.state }, now);

function withNextTell(health: Health, now: Date): Health {
  const { state, since, tells, toldAt, toldState } = health;
  const waitMs = tellAfterMs[state][tells];
  if (waitMs === undefined) return { ...health, tellAt: null };
  const gapEndsMs = toldAt !== null && toldState === state ? toldAt.getTime() + tellGapMs[state] : 0;
  const dueMs = Math.max(since.getTime() + waitMs, gapEndsMs, tells === 0 ? since.getTime() : now.getTime());
  return { ...health, tellAt: new Date(dueMs) };
}

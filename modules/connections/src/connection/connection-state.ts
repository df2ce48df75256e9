// Decides about the state of a connection and when people are notified. Pure: record-outcome.ts locks the row, calls these functions and
// writes the result. A connection has at most one open notice, that of its present state, and the first success closes it. Only attention
// stays until people were notified, or until a verification or new settings.
import type { ConnectionState } from './connection.ts';

export interface Health {
  state: ConnectionState;
  /** The time at which the state began. */
  since: Date;
  /** Mostly the provider's own words. Null when connected. */
  reason: string | null;
  /** Failures in a row that a repetition may cure, and the time of the first of them. */
  laters: number;
  firstLaterAt: Date | null;
  /** The next time to notify people of the state. Null: none is planned. */
  notifyAt: Date | null;
  /** Notifications about the state since it began. */
  notifications: number;
  /** The last time that people were notified of this connection, and the state at that time. */
  notifiedAt: Date | null;
  notifiedState: ConnectionState | null;
}

export type Observation =
  /** `isVerified`: a verification found the credential and the settings in order. */
  | { kind: 'worked'; isVerified?: boolean }
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

/** The times to notify people, from the beginning of the state. */
const notifyAfterMs: Record<ConnectionState, readonly number[]> = {
  connected: [],
  failing: [30 * minuteMs],
  disconnected: [0, dayMs, 7 * dayMs],
  attention: [0],
};

/** The shortest time between two notifications of one state, so that a connection whose state goes back and forth causes few mails. */
const notifyGapMs: Record<ConnectionState, number> = {
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
  notifyAt: null,
  notifications: 0,
  notifiedAt: null,
  notifiedState: null,
});

export function afterObservation(health: Health, observation: Observation, now: Date): Health {
  if (observation.kind === 'worked') {
    const { notifiedAt, notifiedState } = health;
    // Other mails and contacts work while one part is refused. People must hear of it before a success hides it.
    if (health.state === 'attention' && health.notifyAt !== null && !observation.isVerified) return health;
    const since = health.state === 'connected' ? health.since : now;
    return { ...newHealth(now), since, notifiedAt, notifiedState };
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
    return withNextNotification(
      { ...health, state, since: now, reason, notifications: 0, notifyAt: null },
      now,
    );
  // Attention is announced again only because of a new refusal.
  const mayRepeat = state === 'attention' && health.notifyAt === null;
  return mayRepeat
    ? withNextNotification({ ...health, reason, notifications: 0 }, now)
    : { ...health, reason };
}

/** After people were notified. */
export const afterNotification = (health: Health, now: Date): Health =>
  withNextNotification(
    { ...health, notifications: health.notifications + 1, notifiedAt: now, notifiedState: health.state },
    now,
  );

function withNextNotification(health: Health, now: Date): Health {
  const { state, since, notifications, notifiedAt, notifiedState } = health;
  const waitMs = notifyAfterMs[state][notifications];
  if (waitMs === undefined) return { ...health, notifyAt: null };
  const gapEndsMs =
    notifiedAt !== null && notifiedState === state ? notifiedAt.getTime() + notifyGapMs[state] : 0;
  const dueMs = Math.max(
    since.getTime() + waitMs,
    gapEndsMs,
    notifications === 0 ? since.getTime() : now.getTime(),
  );
  return { ...health, notifyAt: new Date(dueMs) };
}

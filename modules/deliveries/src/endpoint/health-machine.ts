// Decides about the health of an endpoint. Pure: record-health.ts locks the row, calls these functions and writes the result.
// README.md beside this file shows the states.
import type { DeliveryFailure } from '@service/catalogue';
import type { EndpointHealth } from './endpoint.ts';

/** Undefined means healthy wherever a health is expected. */
export type Health = Omit<EndpointHealth, 'endpointId' | 'accountId' | 'isFull'>;

/** Attempts to one endpoint that ended at nearly the same time. */
export interface AttemptReport {
  /** One of them succeeded. */
  succeeded: boolean;
  /** Failures after the last success. */
  failures: number;
  /** One of these failures was a 410: the receiver says that nothing is there any more. */
  isGone: boolean;
  lastFailure: DeliveryFailure | null;
  lastResponseCode: number | null;
}

export interface HealthChange {
  health: Health | undefined;
  /** Changes that owners are notified of, in order. */
  notices: ('paused' | 'recovered')[];
}

/** This many failures in a row pause an endpoint, if the first of them is also old enough. */
const pauseFailures = 20;
const pauseAfterMs = 5 * 60_000;
/** A draining endpoint is paused again sooner. */
const pauseFailuresDraining = 5;

const drainRateFirst = 16;
const drainRateMax = 4096;
const drainEveryMs = 1000;
/** A worker may still park a delivery of a claim from before the recovery. So the last check comes later. */
const lastCheckMs = 3000;

/** Health of an endpoint whose parked deliveries begin to be released. */
export const drainStart = { state: 'draining', failures: 0, probes: 0, drainRate: drainRateFirst } as const;

export function afterAttempts(health: Health | undefined, report: AttemptReport, now: Date): HealthChange {
  const succeeded = report.succeeded ? afterSuccess(health, now) : health;
  const next = report.failures > 0 ? afterFailures(succeeded, report, now) : succeeded;
  const hasRecovered = health?.state === 'paused' && succeeded?.state !== 'paused';
  const isPausedNow = next?.state === 'paused' && succeeded?.state !== 'paused';
  return {
    health: next,
    notices: [
      ...(hasRecovered ? (['recovered'] as const) : []),
      ...(isPausedNow ? (['paused'] as const) : []),
    ],
  };
}

function afterSuccess(health: Health | undefined, now: Date): Health | undefined {
  if (health?.state === 'paused') return { ...health, ...drainStart, probeAt: now, isUntried: false };
  const tried = { failures: 0, isUntried: false };
  return health?.state === 'draining' || health?.state === 'halted' ? { ...health, ...tried } : undefined;
}

/** A halted endpoint stays halted: only an attempt that was in flight or a test ends there. */
function afterFailures(health: Health | undefined, report: AttemptReport, now: Date): Health {
  const { isGone, lastFailure, lastResponseCode } = report;
  const failing = health ?? {
    state: 'failing',
    failures: 0,
    since: now,
    probeAt: null,
    probes: 0,
    drainRate: 0,
    isUntried: false,
  };
  const since = failing.state === 'halted' && failing.failures === 0 ? now : failing.since;
  const failures = failing.failures + report.failures;
  const next = { ...failing, failures, since, lastFailure, lastResponseCode, isUntried: false };
  if (next.state === 'paused' || next.state === 'halted' || !(isGone || mustPause(next, now))) return next;
  return { ...next, state: 'paused', probeAt: later(now, probeWaitSeconds(0) * 1000) };
}

function mustPause({ state, failures, since }: Health, now: Date): boolean {
  if (state === 'draining') return failures >= pauseFailuresDraining;
  return failures >= pauseFailures && now.getTime() - since.getTime() >= pauseAfterMs;
}

/** Time until the next probe of a paused endpoint, after `probes` probes: a minute, then twice as long each time up to an hour. */
export const probeWaitSeconds = (probes: number): number => Math.min(3600, 60 * 2 ** probes);

/** The health of a draining endpoint after `released` of its parked deliveries were released. */
export function afterRelease(health: Health, released: number, now: Date): Health | undefined {
  // Deliveries that wait for their own retry are still to be sent to the new URL.
  if (released === 0) return health.isUntried ? { ...health, state: 'failing', probeAt: null } : undefined;
  const waitMs = released < health.drainRate ? lastCheckMs : drainEveryMs;
  return {
    ...health,
    drainRate: Math.min(health.drainRate * 2, drainRateMax),
    probeAt: later(now, waitMs),
  };
}

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

import type { EndpointHealthOutput } from '../schemas.ts';
import type { EndpointHealth } from './endpoint-health.ts';

/** Failures in a row from which an endpoint is called failing; one or two are nobody's worry. */
const failuresToTell = 3;

const healthy: EndpointHealthOutput = {
  status: 'healthy',
  failuresInARow: 0,
  since: null,
  nextProbeAt: null,
  lastFailure: null,
  lastResponseCode: null,
};

/** What people see of an endpoint's health; one without a row is well. */
export function healthToOutput(health: EndpointHealth | undefined): EndpointHealthOutput {
  if (health === undefined || (health.state !== 'paused' && health.failures < failuresToTell)) return healthy;
  return {
    status: health.state === 'paused' ? 'paused' : 'failing',
    failuresInARow: health.failures,
    since: health.since.toISOString(),
    nextProbeAt: health.state === 'paused' ? (health.probeAt?.toISOString() ?? null) : null,
    lastFailure: health.lastFailure ?? null,
    lastResponseCode: health.lastResponseCode ?? null,
  };
}

// Not in index.ts, because commands without metrics need not read prom-client (40 ms).
import { collectDefaultMetrics, Registry } from 'prom-client';

/** prom-client cannot end its observers of the garbage collector and of the event loop, so a process has them once. */
let ofProcess: Registry | undefined;

/** A registry with the usual metrics of a Node process: CPU, memory, garbage collection, delay of the event loop. */
export function createMetricRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    // The monitor of the event loop's delay has a timer that wakes an idle process. Each 10 ms, as by default, it takes 0.4 % of a core.
    // The recorded delays include its period.
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: 500 });
  }
  return Registry.merge([ofProcess]);
}

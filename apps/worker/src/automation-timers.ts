import { fireDueTimers } from '@service/automations';
import { createFailureFilter, createRepeater } from '@service/background';
import type { Database } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Log } from '@service/log';
import type { ClockCheck } from './clock-check.ts';
import type { NamedRepeater } from './readiness.ts';

interface AutomationTimersOptions {
  database: Database;
  deliveries: Pick<Deliveries, 'enqueue'>;
  clocks: Pick<ClockCheck, 'readNow'>;
  log: Log;
}

const everyMs = 1000;

/** Fires due timers, every second. */
export function createAutomationTimers({
  database,
  deliveries,
  clocks,
  log,
}: AutomationTimersOptions): NamedRepeater {
  const timerFailures = createFailureFilter((error) =>
    log.error({ err: error }, 'An automation timer failed and is tried again'),
  );
  const repeater = createRepeater({
    everyMs,
    async run(signal) {
      const now = await clocks.readNow('automation_timers');
      if (!now) return;
      try {
        const { fired } = await fireDueTimers(database, { now, deliveries, signal });
        if (fired > 0) log.debug({ fired }, 'Automation timers came due');
        timerFailures.succeeded();
      } catch (error) {
        // Some timers failed and the others fired. The next round need not wait for the failed ones.
        if (!(error instanceof AggregateError)) throw error;
        for (const failure of error.errors) timerFailures.failed(failure);
      }
    },
    onFailure: (error) => log.error({ err: error }, 'The automation timers failed and are tried again'),
  });
  return { name: 'automation timers', ...repeater };
}

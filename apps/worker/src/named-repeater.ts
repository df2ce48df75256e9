import { createFailureFilter, createRepeater, type Repeater, type UntilWork } from '@service/background';
import type { WorkReading } from '@service/composition';
import type { Log } from '@service/log';
import type { RepeatedWork } from '@service/module';
import type { ClockCheck } from './clock-check.ts';

/** Repeated work with the name that an answer of `/readyz` shows when it stands still. */
export interface NamedRepeater extends Repeater {
  name: string;
}

interface RepeaterOptions {
  clocks: Pick<ClockCheck<WorkReading>, 'readNow'>;
  untilWork?: UntilWork;
  log: Log;
}

/**
 * Repeats the work of a module by the database's time. A round in which the clocks disagree is skipped. One that would find nothing is a
 * success without a call of the work.
 */
export function createNamedRepeater(
  { name, everyMs, run }: RepeatedWork,
  { clocks, untilWork, log: parentLog }: RepeaterOptions,
): NamedRepeater {
  const log = parentLog.child({ repeat: name });
  const partFailures = createFailureFilter((error) =>
    log.error({ err: error }, 'A part of repeated work failed and is tried again'),
  );
  const repeater = createRepeater({
    everyMs,
    untilWork,
    async run(signal) {
      const reading = await clocks.readNow(name);
      if (!reading) return;
      let isWell = true;
      if (reading.mayFind(name))
        await run(reading.now, {
          log,
          signal,
          onFailure(error) {
            isWell = false;
            partFailures.failed(error);
          },
        });
      if (isWell) partFailures.succeeded();
    },
    onFailure: (error) => log.error({ err: error }, 'Repeated work failed and is tried again'),
  });
  return { name: name.replaceAll('_', ' '), ...repeater };
}

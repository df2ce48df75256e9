import type { ClockReading } from '@service/database';
import type { CronTask } from '@service/jobs';
import type { Log } from '@service/log';
import type { ScheduledTask } from '@service/module';

export interface ClockCheck<Reading extends ClockReading = ClockReading> {
  /**
   * A reading of the database's time for one round of work that deletes, decides or fires. Undefined while the two clocks disagree: then the
   * round must not run, and is counted. Throws when the database does not answer.
   */
  readNow(round: string): Promise<Reading | undefined>;
  /** True if the clocks agreed at the last reading and this process's clock was not set since. */
  isAgreed(): boolean;
  /** Milliseconds that this process was ahead at the last reading; undefined before the first. */
  aheadMs(): number | undefined;
}

interface ClockCheckOptions<Reading extends ClockReading> {
  readClock: () => Promise<Reading>;
  /** A round did not run. */
  onSkipped?: (round: string) => void;
  log: Log;
  /** The wall clock of this process, which people and NTP can set. */
  now?: () => number;
  /** The monotonic clock of this process. */
  elapsed?: () => number;
}

/** Clocks that are synchronized by NTP differ by milliseconds. */
const agreeWithinMs = 5000;
const readingsMax = 3;

/** Compares the clocks of this process and the database. Logs once when they begin to disagree, and once when they agree again. */
export function createClockCheck<Reading extends ClockReading>(
  options: ClockCheckOptions<Reading>,
): ClockCheck<Reading> {
  const { onSkipped, log, now = Date.now, elapsed = () => performance.now() } = options;
  let last: { aheadMs: number; isAgreed: boolean; at: number; elapsedAt: number } | undefined;

  /** Milliseconds by which this process's clock was set since the last reading. */
  const setByMs = (): number => (last ? now() - last.at - (elapsed() - last.elapsedAt) : 0);

  const isAgreed = (): boolean =>
    last !== undefined && last.isAgreed && Math.abs(last.aheadMs + setByMs()) <= agreeWithinMs;

  const note = (aheadMs: number, agrees: boolean): void => {
    const wasAgreed = last?.isAgreed ?? true;
    last = { aheadMs, isAgreed: agrees, at: now(), elapsedAt: elapsed() };
    if (wasAgreed && !agrees)
      log.warn({ aheadMs: Math.round(aheadMs) }, `${describeOffset(aheadMs)}; ${consequence}`);
    if (!wasAgreed && agrees)
      log.warn({ aheadMs: Math.round(aheadMs) }, 'This clock agrees with the database again');
  };

  return {
    async readNow(round) {
      const reading = await readSurely(options.readClock);
      const agrees = Math.abs(reading.aheadMs) <= agreeWithinMs;
      note(reading.aheadMs, agrees);
      if (agrees) return reading;
      onSkipped?.(round);
      return undefined;
    },
    isAgreed,
    aheadMs: () => last?.aheadMs,
  };
}

const consequence = 'maintenance, sessions and timers wait until the clocks agree to 5 s';

/** One sentence for people about the difference of the clocks. */
export function describeOffset(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `This worker's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's clock`;
}

/** A reading whose error is smaller than the distance to the limit. A slow answer is read again. */
async function readSurely<Reading extends ClockReading>(readClock: () => Promise<Reading>): Promise<Reading> {
  for (let readings = 1; ; readings += 1) {
    const reading = await readClock();
    const distanceMs = Math.abs(Math.abs(reading.aheadMs) - agreeWithinMs);
    if (reading.errorMs <= distanceMs) return reading;
    if (readings === readingsMax)
      throw new Error(
        `The database took ${Math.round(reading.errorMs * 2)} ms to say its time, too long to compare clocks`,
      );
  }
}

/** The cron of a scheduled task. It does nothing while the clocks disagree; its next run comes by itself. */
export const timedCron = (
  clocks: Pick<ClockCheck, 'readNow'>,
  { run, ...cron }: ScheduledTask,
): CronTask => ({
  ...cron,
  async run(context) {
    const reading = await clocks.readNow(cron.name);
    if (reading) await run(reading.now, context);
  },
});

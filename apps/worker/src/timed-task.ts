import type { CronTask, JobContext } from '@service/jobs';
import type { ClockCheck } from './clock-check.ts';

/** Work by the clock, at a time that is the database's. */
export interface TimedTask extends Pick<CronTask, 'name' | 'pattern'> {
  run(now: Date, context: JobContext): Promise<void>;
}

/** A cron of a task. Without a time that both clocks agree on it does nothing; its next run comes by itself. */
export const timedCron = (clocks: Pick<ClockCheck, 'readNow'>, { run, ...cron }: TimedTask): CronTask => ({
  ...cron,
  async run(context) {
    const now = await clocks.readNow(cron.name);
    if (now) await run(now, context);
  },
});

import type { Database } from '@service/database';
import type { CronTask } from '@service/jobs';
import { keepSessionsAhead } from '@service/webinars';

/** Once an hour: the sessions that schedules ask for next, so that those to come are there to be listed. */
export const keepSessionsAheadHourly = (database: Database): CronTask => ({
  name: 'webinars.keep_sessions_ahead',
  pattern: '7 * * * *',
  async run({ log }) {
    const made = await keepSessionsAhead(database, new Date());
    log.info({ made }, 'Coming sessions are there');
  },
});

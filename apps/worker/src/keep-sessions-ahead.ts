import type { Database } from '@service/database';
import { keepSessionsAhead } from '@service/webinars';
import type { TimedTask } from './timed-task.ts';

/** Once an hour: the sessions that schedules ask for next, so that those to come are there to be listed. */
export const keepSessionsAheadHourly = (database: Database): TimedTask => ({
  name: 'webinars.keep_sessions_ahead',
  pattern: '7 * * * *',
  async run(now, { log }) {
    const made = await keepSessionsAhead(database, now);
    log.info({ made }, 'Coming sessions are there');
  },
});

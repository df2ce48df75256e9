import type { Database } from '@service/database';
import { inBatches, type Round } from './round.ts';

const batchMax = 200;

// A session whose end has passed starts too, and ends in the same round.
const start = {
  name: 'webinars.start_sessions',
  text: `
    with due as (
      select account_id, id from webinars.session
      where control = 'clock' and status = 'scheduled' and starts_at <= $1
      order by starts_at limit ${batchMax} for no key update skip locked
    )
    update webinars.session s set status = 'live', actual_started_at = s.starts_at
    from due where s.account_id = due.account_id and s.id = due.id
    returning s.id`,
};

/** Starts sessions with control `clock` whose start has come. Returns their number. */
export const startSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, async () => {
    const { length } = await database.query(start, [round.now]);
    return { done: length, isFull: length === batchMax };
  });

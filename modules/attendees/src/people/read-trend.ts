import { type AccountReader, column, idAt, statement } from '@service/database';
import type { z } from 'zod';
import type { TrendOutput } from './schemas.ts';

/** A count of one time ends here, so that no page waits for it. */
const trendMax = 10_000;
const trendMs = 30 * 86_400_000;

// $1 account, $2 first id, $3 id after the last one.
const countOfTime = statement({
  name: 'attendees.count_registrations_of_time',
  text: `
    select count(*)::int as registrations,
      (count(*) filter (where c.status in ('attending', 'attended')))::int as attended,
      (count(*) filter (where c.status = 'no_show'))::int as "noShow"
    from (
      select status from attendees.registration
      where account_id = $1 and id >= $2 and id < $3 and status not in ('test', 'cancelled') limit ${trendMax}
    ) c`,
  row: { registrations: column.integer, attended: column.integer, noShow: column.integer },
});

/** The registrations of the last 30 days and of the 30 days before, without cancelled ones. */
export async function readTrend({
  query,
  accountId,
  now,
}: AccountReader): Promise<z.input<typeof TrendOutput>> {
  const at = (times: number): string => idAt(new Date(now.getTime() - times * trendMs));
  const [[current], [former]] = await Promise.all([
    // The id of a registration is made a little after the time of its request.
    query(countOfTime, [accountId, at(1), at(-1)]),
    query(countOfTime, [accountId, at(2), at(1)]),
  ]);
  return { countedMax: trendMax, current: current!, former: former! };
}

import { column, idAt, statement, type AccountQueries } from '@service/database';

/** Counting ends here. */
export const failuresCountedMax = 10_000;

// Without a name, so that only the partitions of the days are planned.
const countFailed = statement({
  text: `
    select count(*)::int as failed from (
      select from deliveries.delivery failed
      where account_id = $1 and ended_as = 'failure' and id >= $2 and id < $3 and not is_test
        and not exists (
          select from deliveries.delivery again
          where again.account_id = $1 and again.redelivery_of = coalesce(failed.redelivery_of, failed.id)
            and again.id > failed.id and again.id >= $2 -- $2 leaves older partitions out of the plan
        )
      limit $4
    ) ended`,
  row: { failed: column.integer },
});

/** Deliveries of a time that have failed for good, without tests. Of a delivery and its redeliveries only the last one counts. */
export async function countFailedDeliveries(
  { query, accountId }: AccountQueries,
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  const [row] = await query(countFailed, [accountId, idAt(from), idAt(to), failuresCountedMax]);
  return row!.failed;
}

import { column, idAt, statement, type AccountReader } from '@service/database';
import type { DeliveryOutput } from '../schemas.ts';
import { findByIds } from './history.ts';
import { deliveryToOutput } from './delivery-to-output.ts';

const recentMs = 2 * 86_400_000;

/**
 * The newest delivery of each endpoint. First those of the last two days are read, because a statement costs planning time for every
 * partition within its bounds, then those of endpoints without a recent one.
 */
export async function findNewest(
  reader: AccountReader,
  endpointIds: readonly string[],
): Promise<Map<string, DeliveryOutput>> {
  if (endpointIds.length === 0) return new Map();
  const { query, accountId, now } = reader;
  const since = idAt(new Date(now.getTime() - recentMs));
  const recent = await query(selectRecent, [accountId, endpointIds, since]);
  const found = new Set(recent.map(({ endpointId }) => endpointId));
  const others = endpointIds.filter((id) => !found.has(id));
  const older = others.length === 0 ? [] : await query(selectOlder, [accountId, others, since]);
  const rows = await findByIds(
    reader,
    [...recent, ...older].map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.endpoint_id, deliveryToOutput(row)]));
}

// $1 account, $2 endpoints.
const newestOf = (condition: string): string => `
  select wanted.id as "endpointId", newest.id
  from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select id from deliveries.delivery
    where account_id = $1 and endpoint_id = wanted.id and id ${condition} order by id desc limit 1
  ) newest`;

const row = { endpointId: column.id, id: column.id };

/** $3 the first id of the last two days. Without a name, so that only the partitions of these days are planned. */
const selectRecent = statement({ text: newestOf('>= $3'), row });

/** $3 the same. With a name and hidden from the planner, so that a connection plans all partitions once. */
const selectOlder = statement({
  name: 'deliveries.select_newest_older',
  text: newestOf('< (select $3::uuid)'),
  row,
});

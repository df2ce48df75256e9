// The limits of an account, so that no account fills the disk.
import { column, statement, type AccountQueries } from '@service/database';
import { AppError } from '@service/errors';
import { z } from 'zod';
import { deliveryErrors } from '../errors.ts';

export interface Quota {
  /** Waiting deliveries. */
  waitingMax: number;
  /** Bytes of stored bodies, deliveries and attempts. */
  bytesMax: number;
}

/** The defaults of DELIVERY_BACKLOG_MAX and DELIVERY_STORAGE_MAX_MB. */
export const defaultQuota: Quota = { waitingMax: 1_000_000, bytesMax: 20_480 * 1024 * 1024 };

export const DeliveryUsageOutput = z.object({
  /** Deliveries that wait for an attempt, those in flight included. */
  waiting: z.int(),
  waitingMax: z.int(),
  /** An estimate: counted when rows are written, and reduced when days are dropped. */
  storedBytes: z.int(),
  storedBytesMax: z.int(),
});

export type DeliveryUsageOutput = z.infer<typeof DeliveryUsageOutput>;

/** A query for account $1: whether it has reached its limits, which are the two parameters, and how many more deliveries may wait. */
export const accountUsage = (waitingMax: string, bytesMax: string): string => `
  select coalesce(sum(waiting), 0) >= ${waitingMax}::bigint as is_backlog_full,
    coalesce(sum(bytes), 0) >= ${bytesMax}::bigint as is_storage_full,
    ${waitingMax}::bigint - coalesce(sum(waiting), 0) as room
  from deliveries.usage where account_id = $1`;

const selectUsage = statement({
  name: 'deliveries.select_usage',
  text: `
    select coalesce(sum(waiting), 0)::float8 as waiting, coalesce(sum(bytes), 0)::float8 as bytes
    from deliveries.usage where account_id = $1`,
  row: { waiting: column.float, bytes: column.float },
});

/** Reads the usage of the account and its limits. */
export async function readUsage(
  { query, accountId }: AccountQueries,
  quota: Quota,
): Promise<DeliveryUsageOutput> {
  const [used] = await query(selectUsage, [accountId]);
  return {
    waiting: Math.max(0, used!.waiting),
    waitingMax: quota.waitingMax,
    storedBytes: Math.max(0, used!.bytes),
    storedBytesMax: quota.bytesMax,
  };
}

/** A full queue becomes empty when an endpoint is repaired or switched off, which takes a person. */
const retryAfterSeconds = 60;

const megabyte = 1024 * 1024;

/** Throws delivery_backlog_full when the account has reached a limit. */
export async function requireRoom(reader: AccountQueries, quota: Quota): Promise<void> {
  const { waiting, storedBytes } = await readUsage(reader, quota);
  const number = (value: number): string => value.toLocaleString('en-US');
  if (waiting >= quota.waitingMax)
    throw backlogFull(
      `${number(waiting)} deliveries of this workspace wait, and its limit is ${number(quota.waitingMax)}. ` +
        'Repair, switch off or delete the endpoints that do not answer.',
      'DELIVERY_BACKLOG_MAX',
    );
  if (storedBytes >= quota.bytesMax)
    throw backlogFull(
      `The deliveries of this workspace take ${number(Math.round(storedBytes / megabyte))} MB, and its limit is ` +
        `${number(Math.round(quota.bytesMax / megabyte))} MB. The oldest are deleted each day.`,
      'DELIVERY_STORAGE_MAX_MB',
    );
}

const backlogFull = (pageMessage: string, variable: string): AppError =>
  new AppError(
    'delivery_backlog_full',
    {
      ...deliveryErrors.catalogue.delivery_backlog_full,
      message: `${pageMessage} The operator of this installation can raise the limit (${variable}).`,
      pageMessage,
    },
    { retryAfterSeconds },
  );

/**
 * The most deliveries that wait for an endpoint that has never answered. Further ones end at once, so that a wrong URL does not fill
 * the queue of its account. An endpoint that is being set up has a few, and one that has answered once may have any number.
 */
export const unansweredMax = 1000;

/**
 * $1 the limit. Marks unhealthy endpoints that have never answered and for which more deliveries wait, and unmarks the others. Workers
 * run it once a minute; rows whose health is being recorded come next time.
 */
export const markFullEndpoints = statement({
  text: `
    with counted as (
      select health.endpoint_id, health.account_id, not endpoint.has_answered and waiting.count > $1 as is_full
      from deliveries.endpoint_health health
      join deliveries.endpoint on endpoint.id = health.endpoint_id and endpoint.account_id = health.account_id
      cross join lateral (
        select count(*) as count from (
          select from deliveries.due
          where due.account_id = health.account_id and due.endpoint_id = health.endpoint_id and not endpoint.has_answered
          limit $1 + 1
        ) counted
      ) waiting
      where not endpoint.has_answered or is_full
    ), changed as (
      select counted.* from counted
      join deliveries.endpoint_health health on health.endpoint_id = counted.endpoint_id and health.account_id = counted.account_id
      where health.is_full <> counted.is_full
      for update of health skip locked
    )
    update deliveries.endpoint_health health set is_full = changed.is_full
    from changed where health.endpoint_id = changed.endpoint_id and health.account_id = changed.account_id`,
  allAccounts: 'The upkeep of a worker serves every account.',
});

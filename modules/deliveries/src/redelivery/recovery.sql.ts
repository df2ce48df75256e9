// Holding a recovery and moving it on. The row's lock is the lease: it ends with the transaction, however that ends.

/**
 * The one that has waited longest, skipping those that somebody works on. Only whose end lies before $1, the newest id's time
 * of this process: what it makes from now on must lie behind that end, whatever its clock says.
 */
export const holdNext = {
  text: `
    select account_id, id, endpoint_id, until, statuses, event_types, cursor from deliveries.recovery
    where state = 'running' and next_at <= now() and until <= $1
    order by next_at limit 1 for update skip locked`,
};

/** $1 account, $2 endpoint. Held, so that it is not switched off between this look and the batch that follows from it. */
export const holdEndpoint = {
  text: `select enabled from deliveries.endpoint where account_id = $1 and id = $2 for share`,
};

/** Whether $3 deliveries wait for endpoint $2 of account $1. */
export const isQueueFull = {
  text: `
    select count(*) = $3 as full from
      (select from deliveries.due where account_id = $1 and endpoint_id = $2 limit $3) waiting`,
};

/** $1 account, $2 recovery, $3 seconds. */
export const postpone = {
  text: `
    update deliveries.recovery set next_at = clock_timestamp() + make_interval(secs => $3)
    where account_id = $1 and id = $2`,
};

/** $1 account, $2 recovery, $3 how many more are queued, $4 the last delivery looked at, $5 when all were: now, else null. */
export const advance = {
  text: `
    update deliveries.recovery set queued = queued + $3, cursor = $4, next_at = clock_timestamp(),
      state = case when $5::timestamptz is null then state else 'done' end, finished_at = $5
    where account_id = $1 and id = $2`,
};

/** $1 account, $2 recovery, $3 why, $4 now. */
export const cancel = {
  text: `
    update deliveries.recovery set state = 'cancelled', cancel_reason = $3, finished_at = $4
    where account_id = $1 and id = $2`,
};

/** Any fixed number: the first half of the advisory lock of every worker. */
const lockClass = 1_684_434_290;

// A machine that vanished without closing its connections is noticed within 15 s.
export const prepareSession = `
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; set statement_timeout = '30s'`;

/** $1 the number. False if another worker has it. */
export const takeNumber = `select pg_try_advisory_lock(${lockClass}, $1) as taken`;

/** $1 the number. It may be there still, from before the connection was lost. */
export const addWorker = `
  insert into deliveries.worker (number, started_at) values ($1, now()) on conflict (number) do nothing`;

/** $1 the number. */
export const removeWorker = `delete from deliveries.worker where number = $1`;

/** Workers whose lock nobody holds. */
export const findMissingWorkers = `
  select number from deliveries.worker
  where not exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${lockClass} and objid = worker.number and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())
  )`;

/**
 * $1 the number of a worker that is gone. Of several who notice, one finds its row. Reads the queue from end to end, which is
 * rare, and so no claim pays for an index.
 */
export const recoverFrom = `
  with gone as (delete from deliveries.worker where number = $1 returning number)
  update deliveries.due set claim = null, leased_until = null, due_at = now()
  from gone where due.worker = gone.number and due.claim is not null`;

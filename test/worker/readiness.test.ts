import { test } from '../support/database-test.ts';
import { configureDatabase } from '../support/configure-database.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker, type TestWorker } from '../support/worker.ts';

/** A worker works on everything at least each five seconds, and is not ready after this time without progress. */
const progressMaxAgeMs = 6000;

const startImpatientWorker = (databaseUrl: string) =>
  testWorker(databaseUrl, { webhookTimeoutMs: 100, progressMaxAgeMs });

async function statusIs(worker: TestWorker, code: number, status: string): Promise<boolean> {
  const response = await worker.get('/readyz');
  const answer = (await response.json()) as { status: string };
  return response.status === code && answer.status === status;
}

test.concurrent('a worker with nothing to do stays ready, because it reads its queues', async ({ db }) => {
  await using worker = await startImpatientWorker(db.url);
  const idleUntil = Date.now() + progressMaxAgeMs + 1000;
  await eventually('an idle worker to be ready', async () => {
    const isReady = await statusIs(worker, 200, 'ok');
    return Date.now() > idleUntil && isReady;
  });
});

test.concurrent.for([
  ['deliveries.due', 'deliveries stand still'],
  ['mails.due', 'mails stand still'],
] as const)(
  'a worker that cannot read %s is not ready, and is ready again when it can',
  async ([table, status], { db }) => {
    await using worker = await startImpatientWorker(db.url);
    await eventually('the worker to be ready', () => statusIs(worker, 200, 'ok'));
    const locking = await db.database.pool.connect();
    try {
      await locking.query(`begin; lock table ${table} in access exclusive mode`);
      await eventually('the queue to stand still', () => statusIs(worker, 503, status));
    } finally {
      // Its transaction ends with it.
      locking.release(true);
    }
    await eventually('the worker to be ready again', () => statusIs(worker, 200, 'ok'));
  },
);

test.concurrent('a worker whose database is read-only is not ready, and is ready again when it can write', async ({
  db,
}) => {
  await using worker = await startImpatientWorker(db.url);
  await eventually('the worker to be ready', () => statusIs(worker, 200, 'ok'));
  await configureDatabase(db, 'set default_transaction_read_only = on');
  await eventually('the reason in the answer', () => statusIs(worker, 503, 'database is read-only'));
  await configureDatabase(db, 'reset default_transaction_read_only');
  await eventually('the worker to be ready again', () => statusIs(worker, 200, 'ok'));
});

test.concurrent('a worker whose database has no space for another file is not ready', async ({ db }) => {
  await using worker = await startImpatientWorker(db.url);
  await eventually('the worker to be ready', () => statusIs(worker, 200, 'ok'));
  await configureDatabase(db, "set temp_file_limit = '100kB'");
  await eventually('the reason in the answer', () => statusIs(worker, 503, 'database has no space to write'));
  await configureDatabase(db, 'reset temp_file_limit');
  await eventually('the worker to be ready again', () => statusIs(worker, 200, 'ok'));
});

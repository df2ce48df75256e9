import { createRepeater, type UntilWork } from '@service/background';
import { dueBy, listenFor, type Database } from '@service/database';
import { createLog, type Log } from '@service/log';
import { Logger, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import pg from 'pg';
import { agreedClockFlag, type CronTask, type JobContext, type JobTask } from './job.ts';
import { createPatientPool } from './patient-pool.ts';
import { runCrons, createCronTable } from './run-crons.ts';

export interface JobRunner {
  /** Takes no more jobs, and waits for the running ones. */
  stop(): Promise<void>;
  /** The last time a job was finished or no job was found. At most two seconds ago while the runner works. */
  lastProgressAt(): Date;
  /** Settles when the runner has ended. Then the process should end too. */
  ended: Promise<void>;
}

interface RunnerOptions {
  /** Left open on stop. */
  pool: pg.Pool;
  /** Notifications of new jobs come over its direct connection. Undefined: over a connection of the pool. */
  listenOn?: Pick<Database, 'connect'>;
  /**
   * Resolves to false if no job is due (`jobConditions`). With it and `listenOn` graphile-worker looks for jobs when it is notified and
   * when one is due. Otherwise each of its places looks for one every two seconds.
   */
  mayFind?: (work: 'jobs') => Promise<boolean>;
  untilWork?: UntilWork;
  tasks: readonly JobTask[];
  crons?: readonly CronTask[];
  /** Jobs at once in this process. */
  concurrency?: number;
  /** True while this process's clock agrees with the database's. Otherwise other workers run the crons. */
  isClockAgreed?: () => boolean;
  log: Log;
}

/**
 * Runs jobs until it is stopped. Installs no signal handlers. Jobs are fetched and completed one by one: graphile-worker's local
 * queue breaks named queues (issue 621), and its batched completion can deadlock with keyed jobs and then stops for ever (issue
 * 636).
 */
export async function startJobRunner(options: RunnerOptions): Promise<JobRunner> {
  const {
    pool,
    listenOn,
    mayFind,
    untilWork,
    tasks,
    crons = [],
    concurrency = 4,
    isClockAgreed = () => true,
    log,
  } = options;
  let progressAt = new Date();
  const events = new EventEmitter() as WorkerEvents;
  const noteProgress = (): void => void (progressAt = new Date());
  events.on('worker:getJob:empty', noteProgress);
  events.on('job:complete', noteProgress);

  let listener: Pick<EventEmitter, 'emit'> | undefined;
  const hasSearch = listenOn !== undefined && mayFind !== undefined;
  const runner = await run({
    pgPool: createPatientPool(pool, listenOn && (() => (listener = createJobListener(listenOn, log)))),
    concurrency,
    pollInterval: hasSearch ? pollSeldomMs : pollEveryMs,
    noHandleSignals: true,
    events,
    logger: bridgeLogger(log),
    taskList: toTaskList([...tasks, ...crons.map(cronToTask)], log),
    forbiddenFlags: () => (isClockAgreed() ? [] : [agreedClockFlag]),
  });
  const search = createRepeater({
    everyMs: pollEveryMs,
    untilWork,
    async run() {
      if (await mayFind!('jobs')) listener?.emit('notification', jobsInserted(concurrency));
      else noteProgress();
    },
    onFailure: (error) => log.error({ err: error }, 'Due jobs could not be looked for'),
  });
  if (hasSearch) search.start();
  const cronLoop = runCrons({ pool, crons, mayRun: isClockAgreed, log });

  let stopping: Promise<void> | undefined;
  return {
    stop: () => (stopping ??= Promise.all([cronLoop.stop(), search.stop()]).then(() => runner.stop())),
    lastProgressAt: () => progressAt,
    ended: runner.promise,
  };
}

/**
 * True if a job is due. The table is graphile-worker's own (0.18): its views have no column that an index answers. Its index begins with the
 * priority, so without a due job all later ones are read: the few that wait for a retry.
 */
export const jobConditions = {
  jobs: `exists (select from graphile_worker._private_jobs where is_available and run_at <= ${dueBy})`,
};

const pollEveryMs = 2000;
/** Every call of `mayFind` that resolves to true wakes the places. */
const pollSeldomMs = 60_000;

function toTaskList(tasks: readonly JobTask[], log: Log): TaskList {
  return Object.fromEntries(
    tasks.map((task) => [
      task.name,
      async (payload: unknown, { job, abortSignal }: { job: { id: string }; abortSignal: AbortSignal }) => {
        const context: JobContext = {
          log: log.child({ job: task.name, jobId: job.id }),
          signal: abortSignal,
        };
        await task.run(payload, context);
      },
    ]),
  );
}

/** Channels of graphile-worker (0.18, dist/main.js). */
const jobChannels = ['jobs:insert', 'worker:migrate'];

/** A notification that wakes this many places. */
const jobsInserted = (count: number) => ({ channel: 'jobs:insert', payload: JSON.stringify({ count }) });

/**
 * The part of a connection that graphile-worker listens with. It shares the connection of all listeners of the process. While that
 * is lost, new jobs are found within two seconds.
 */
function createJobListener(database: Pick<Database, 'connect'>, log: Log): Pick<EventEmitter, 'emit'> {
  const client = new EventEmitter();
  const listenings = jobChannels.map((channel) =>
    listenFor({
      database,
      channel,
      onPayload: (payload) => void client.emit('notification', { channel, payload }),
      onError: (error) => log.warn({ err: error }, 'The connection for new jobs is lost. Connecting again'),
    }),
  );
  const query = async (text: string): Promise<void> => {
    if (text.startsWith('UNLISTEN')) await Promise.all(listenings.map((listening) => listening.stop()));
  };
  return Object.assign(client, { query });
}

const cronToTask = (cron: CronTask): JobTask => ({
  name: cron.name,
  run: (_payload, context) => cron.run(context),
});

/** Migrates graphile-worker's schema and the table of crons. Runs before our migrations, which may add jobs. */
export async function migrateJobs(url: string): Promise<void> {
  await runMigrations({
    connectionString: url,
    maxPoolSize: 2,
    logger: bridgeLogger(createLog('migrate', { level: 'warn' })),
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(createCronTable);
  } finally {
    await client.end();
  }
}

/** Writes graphile-worker's lines to our log. It logs every job at level info, which becomes debug. */
function bridgeLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const fields = { ...scope, err: meta['error'] };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}

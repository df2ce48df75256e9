// The start, the readiness and the stop of every server process.
import { ConfigError, describeConfig, endProcess, readConfig, type Environment } from '@service/config';
import { createLog, startTracing, type Log } from '@service/log';
import type { z } from 'zod';

/** Longest time of a stop, in milliseconds. After it the process ends in any case. */
const stopMaxMs = 15_000;

export interface Running {
  /** Accepts no new work, finishes the work in flight, and closes all connections. */
  close(): Promise<void>;
  /** Settles when the process cannot continue. It then ends with exit code 1. */
  ended?: Promise<void>;
}

type ProcessVariables = Record<string, string | undefined>;

interface ProcessOptions<Schema extends z.ZodObject> {
  /** In every log line. */
  name: string;
  schema: Schema;
  variables: ProcessVariables;
  start: (config: z.infer<Schema>, log: Log) => Promise<Running>;
}

/**
 * Runs until SIGTERM, SIGINT, the end of the parent's IPC channel or the death of npm, and exits with 0. A failed start prints one
 * message and exits with code 1.
 */
export async function runProcess<Schema extends z.ZodObject>(options: ProcessOptions<Schema>): Promise<void> {
  const { name, schema, variables, start } = options;
  try {
    const config = readConfig(schema, variables);
    const log = createLog(name, { level: (config as Partial<Environment>).LOG_LEVEL });
    // Begins after this turn. So signals are handled before the log says that they can come.
    const starting = Promise.resolve().then(() =>
      startTraced(name, config as Partial<Environment>, () => start(config, log), log),
    );
    stopInOrder(starting, { log, variables });
    log.info(describeConfig(config), 'Starting');
    await starting;
  } catch (error) {
    process.stderr.write(`${describeFailure(name, error)}\n`);
    endProcess(1);
  }
}

/** Sends traces from the start to the end of the process, if there is a collector. */
async function startTraced(
  name: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Partial<Environment>,
  start: () => Promise<Running>,
  log: Log,
): Promise<Running> {
  if (endpoint === undefined) return start();
  const tracing = startTracing({ endpoint, service: `webinar-${name}`, log });
  const running = await start();
  return {
    ...running,
    async close() {
      await running.close();
      await tracing.close();
    },
  };
}

/**
 * A signal during the start stops the process as soon as it has started. Further signals change nothing: a Ctrl-C arrives
 * twice, from the terminal and from npm. The stop has a limit in any case.
 */
function stopInOrder(
  starting: Promise<Running>,
  { log, variables }: { log: Log; variables: ProcessVariables },
): void {
  let stopping = false;
  const stop = (reason: string, exitCode = 0): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'Stopping');
    setTimeout(() => endProcess(1), stopMaxMs).unref();
    starting
      .then((running) => running.close())
      .then(
        () => endProcess(exitCode),
        (error: unknown) => {
          log.error({ err: error }, 'Stopping failed');
          endProcess(1);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('parent gone'));
  watchNpm(variables, () => stop('npm is gone'));
  const onEnded = (error?: unknown): void => {
    if (!stopping) log.error({ err: error }, 'Ended by itself');
    stop('ended by itself', 1);
  };
  // A failed start is reported by its caller.
  starting.then((running) => running.ended?.then(() => onEnded(), onEnded)).catch(() => undefined);
}

function describeFailure(name: string, error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the program that uses it, or choose another port.`;
  return `The ${name} could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

const everyMs = 1000;

/**
 * Calls back when the npm that runs this process as a script has ended. npm passes on SIGTERM and SIGINT, but not the signals
 * that kill it, and its script would run on. Returns a function that ends the watch. Without npm it does nothing, because
 * other parents may end first, such as the shell of `nohup`.
 */
export function watchNpm(variables: Record<string, string | undefined>, onGone: () => void): () => void {
  if (!variables['npm_lifecycle_event']) return () => undefined;
  // Scripts replace their shell (`exec`), so npm is the parent.
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    onGone();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Logs each change of the readiness of a process, with its reason. The function gets the status of each probe: `ok` or a reason. */
export function createReadinessLog(log: Pick<Log, 'info' | 'warn'>): (status: string) => void {
  let former = 'ok';
  return (status) => {
    if (status === former) return;
    former = status;
    if (status === 'ok') log.info('This process is ready again');
    else log.warn({ status }, 'This process is not ready');
  };
}

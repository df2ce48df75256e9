// How every server process begins and ends: variables read once, one line at start, an orderly stop.
import { ConfigError, describeConfig, readConfig, type Environment } from '@service/config';
import { createLog, type Log } from '@service/log';
import type { z } from 'zod';

/** Longest time a stop may take, in milliseconds; the process ends then whatever is left. */
const stopMaxMs = 15_000;

export interface Running {
  /** Takes nothing new, finishes what is in flight, closes everything. */
  close(): Promise<void>;
  /** Settles when the process can do its work no longer; it then ends with exit code 1. */
  ended?: Promise<void>;
}

interface ProcessOptions<Schema extends z.ZodObject> {
  /** In every log line. */
  name: string;
  schema: Schema;
  variables: Record<string, string | undefined>;
  start: (config: z.infer<Schema>, log: Log) => Promise<Running>;
}

/** Runs until SIGTERM, SIGINT, or the parent that holds the IPC channel is gone. A failed start is one message and exit 1. */
export async function runProcess<Schema extends z.ZodObject>(options: ProcessOptions<Schema>): Promise<void> {
  const { name, schema, variables, start } = options;
  try {
    const config = readConfig(schema, variables);
    const log = createLog(name, { level: (config as Partial<Environment>).LOG_LEVEL });
    log.info(describeConfig(config), 'Starting');
    stopInOrder(await start(config, log), log);
  } catch (error) {
    process.stderr.write(`${describeFailure(name, error)}\n`);
    process.exit(1);
  }
}

function stopInOrder(running: Running, log: Log): void {
  let stopping = false;
  const stop = (reason: string, exitCode = 0): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'Stopping');
    setTimeout(() => process.exit(1), stopMaxMs).unref();
    running.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('parent gone'));
  const onEnded = (error?: unknown): void => {
    if (!stopping) log.error({ err: error }, 'Ended by itself');
    stop('ended by itself', 1);
  };
  running.ended?.then(() => onEnded(), onEnded);
}

function describeFailure(name: string, error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Stop what listens there or choose another.`;
  return `The ${name} could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

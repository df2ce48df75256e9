import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { waitUntil } from './wait-until.ts';

export interface ServiceProcess {
  name: string;
  pid: number;
  /** `http://127.0.0.1:port` of the API, or of a worker's status pages. */
  origin: string;
  /** Its exit code or signal; undefined while it runs. */
  ended(): string | undefined;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL, as by a system without memory: it cannot clean up. */
  kill(): Promise<void>;
  /** Asks it to stop in order; resolves when it is gone. */
  stop(): Promise<{ exitCode: number | null; tookMs: number }>;
  /** Throws when it does not become ready within 30 s. */
  untilReady(): Promise<void>;
  /** The end of its log: warnings and errors. */
  logged(): string;
  /** The newest lines of its log, cut to 200 characters. */
  lastLines(): string[];
}

export interface ServiceProcessOptions {
  kind: 'api' | 'worker';
  name: string;
  port: number;
  variables: Record<string, string>;
  /** The folder of the version that it belongs to; this one by default. */
  root?: string | undefined;
  /** The lead of its calendar over the true time. */
  clockAheadMs?: number | undefined;
  /** Gets everything that it writes. */
  onText?: ((text: string) => void) | undefined;
}

/** Characters of the log that are kept. */
const loggedMax = 100_000;
const readyMaxMs = 30_000;

/** The folder of this version. */
export const presentRoot = join(import.meta.dirname, '../..');

/** Starts an API or a worker the way operators do. Returns at once. */
export function startServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const {
    kind,
    name,
    port,
    variables,
    clockAheadMs = 0,
    onText = () => undefined,
    root = presentRoot,
  } = options;
  const clock = new URL(`shift-clock.ts?ms=${clockAheadMs}`, import.meta.url).href;
  const flags = clockAheadMs === 0 ? [] : ['--import', clock];
  const child = spawn(process.execPath, [...flags, join(root, 'apps', kind, 'src/main.ts')], {
    cwd: root,
    // With a channel to us it ends by itself when we are gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...childEnvironment, LOG_LEVEL: 'warn', ...variables },
  });
  const exited = once(child, 'exit');
  let logged = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      logged = (logged + text).slice(-loggedMax);
      onText(text);
    });
  const lastLines = (): string[] => {
    const lines = logged.split('\n').filter((line) => line.trim() !== '');
    return lines.slice(-30).map((line) => line.slice(0, 200));
  };
  const origin = `http://127.0.0.1:${port}`;
  const ended = (): string | undefined => {
    if (child.exitCode !== null) return `exit code ${child.exitCode}`;
    return child.signalCode ?? undefined;
  };
  return {
    name,
    pid: child.pid!,
    origin,
    ended,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      const askedAt = performance.now();
      child.kill('SIGTERM');
      await exited;
      return { exitCode: child.exitCode, tookMs: performance.now() - askedAt };
    },
    async untilReady() {
      const isReady = async (): Promise<boolean> => (await fetch(`${origin}/readyz`)).ok;
      const ready = await waitUntil(() => ended() !== undefined || isReady(), readyMaxMs);
      if (ended() === undefined && ready) return;
      child.kill('SIGKILL');
      throw new Error(`${name} does not start:\n${lastLines().join('\n')}`);
    },
    logged: () => logged,
    lastLines,
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.ts';

export interface ServiceProcess {
  name: string;
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
  /** The newest lines it wrote: warnings and errors. */
  lastLines(): string[];
}

export interface ServiceProcessOptions {
  kind: 'api' | 'worker';
  name: string;
  port: number;
  variables: Record<string, string>;
  /** The lead of its clock over the true time. */
  clockAheadMs?: number;
}

const linesMax = 30;
const lineMax = 200;
const readyMaxMs = 30_000;
const mains = {
  api: fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url)),
};

/** Starts an API or a worker the way operators do. Returns at once. */
export function startServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const { kind, name, port, variables, clockAheadMs = 0 } = options;
  const clock = new URL(`shift-clock.ts?ms=${clockAheadMs}`, import.meta.url).href;
  const flags = clockAheadMs === 0 ? [] : ['--import', clock];
  const child = spawn(process.execPath, [...flags, mains[kind]], {
    // With a channel to us it ends by itself when we are gone.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...variables },
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => {
      const written = chunk
        .toString()
        .split('\n')
        .filter((line) => line.trim() !== '');
      lines.push(...written.map((line) => line.slice(0, lineMax)));
      lines.splice(0, Math.max(0, lines.length - linesMax));
    });
  }
  const origin = `http://127.0.0.1:${port}`;
  const ended = (): string | undefined => {
    if (child.exitCode !== null) return `exit code ${child.exitCode}`;
    return child.signalCode ?? undefined;
  };
  return {
    name,
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
      if (ended() !== undefined || !ready) throw new Error(`${name} does not start:\n${lines.join('\n')}`);
    },
    lastLines: () => [...lines],
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quickFolder } from '../support/quick-folder.ts';

export interface Supervisor {
  pid: number;
  port: number;
  dataDir: string;
  output(): string;
  /** The lines that the services wrote about themselves. */
  notes(): Promise<string[]>;
  /** Sends a signal to its whole process group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Rejects with the output of a supervisor that does not end. */
  exitCode(): Promise<number | null>;
}

/** Longer than the 15 s that a service gets to stop, even on a busy machine. */
const endsWithinMs = 40_000;

async function failAfter(waitMs: number, output: () => string): Promise<never> {
  await delay(waitMs, undefined, { ref: false });
  throw new Error(`The supervisor has not ended after ${waitMs / 1000} s. Its output:\n${output()}`);
}

/** A folder for one test that the database's own user may enter. */
export async function makeFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(await quickFolder(), 'local-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** Runs the supervisor fixture in a process group of its own; every process it makes has the folder in its environment or command line. */
export function runSupervisor(
  folder: string,
  port: number,
  variables: Record<string, string> = {},
): Supervisor {
  const notes = join(folder, 'notes');
  const { DATABASE_URL: _ours, npm_lifecycle_event: _script, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'supervisor.fixture.ts')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      SERVICES: 'api:serves worker',
      ...inherited,
      ...variables,
      PORT: String(port),
      DATA_DIR: folder,
      NOTES: notes,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'close').then(() => child.exitCode);
  const pid = child.pid ?? 0;
  return {
    pid,
    port,
    dataDir: folder,
    output: () => output,
    notes: async () => (await readFile(notes, 'utf8').catch(() => '')).split('\n').filter(Boolean),
    signalGroup: (signal) => process.kill(-pid, signal),
    exitCode: () => Promise.race([exited, failAfter(endsWithinMs, () => output)]),
  };
}

/** Living processes whose command line or environment names the folder. Linux only. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return command.includes(folder) || environment.includes(folder) ? [`${pid} ${command}`] : [];
      } catch {
        return []; // ended meanwhile
      }
    });
}

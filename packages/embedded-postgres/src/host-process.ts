import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryPath, serverArguments, serverEnvironment } from './binaries.ts';
import type { Placement } from './placement.ts';
import { readPostmasterFile, stopPostmaster } from './postmaster.ts';

/** The argument of host.ts on its command line. It contains no secret. */
export interface HostOrder {
  program: string;
  control: string;
  arguments: string[];
  cluster: string;
  environment: Record<string, string>;
  user: { uid: number; gid: number } | undefined;
  stopTimeoutMs: number;
  /** The time that clients have to finish after this process was killed. */
  orphanGraceMs: number;
}

export interface HostProcess {
  /** Resolves with the server's last lines once neither the host nor the server runs any more. */
  exited: Promise<string>;
  stop(options?: { immediate?: boolean }): Promise<void>;
}

interface HostOptions {
  placement: Placement;
  cluster: string;
  port: number;
  settings: Record<string, string>;
  log: (line: string) => void;
}

const stopTimeoutMs = 10_000;
const orphanGraceMs = 5000;
const startTimeoutMs = 120_000; // a start after a crash replays the log first

/** Runs the server under host.ts and returns when it accepts connections; throws its last lines when it does not. */
export async function startHost({
  placement,
  cluster,
  port,
  settings,
  log,
}: HostOptions): Promise<HostProcess> {
  const order: HostOrder = {
    program: binaryPath(placement.binaries, 'postgres'),
    control: binaryPath(placement.binaries, 'pg_ctl'),
    arguments: serverArguments(cluster, port, settings),
    cluster,
    environment: serverEnvironment,
    user: placement.user,
    stopTimeoutMs,
    orphanGraceMs,
  };
  const host = spawn(process.execPath, [join(import.meta.dirname, 'host.ts'), JSON.stringify(order)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  host.stdin.on('error', () => {}); // it is closed when the host is already gone
  const lastLines: string[] = [];
  createInterface(host.stderr).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 12) lastLines.shift();
    log(line);
  });
  let postmaster: number | undefined;
  createInterface(host.stdout).once('line', (line) => {
    postmaster = Number(line);
  });

  const state = { running: true };
  const exited = (async () => {
    await once(host, 'exit');
    // The host outlives the server, unless only the host was killed.
    await stopPostmaster(cluster, stopTimeoutMs).finally(() => {
      state.running = false;
    });
    return lastLines.join('\n');
  })();
  exited.catch(() => {});

  const stop = async ({ immediate = false } = {}) => {
    if (!host.stdin.writableEnded) host.stdin.end('stop\n');
    if (immediate) host.kill('SIGQUIT');
    await exited;
  };

  const deadline = Date.now() + startTimeoutMs;
  while (state.running) {
    const file = readPostmasterFile(cluster);
    if (file?.ready && file.pid === postmaster) return { exited, stop };
    if (Date.now() > deadline) {
      await stop({ immediate: true });
      throw new Error(`PostgreSQL was not ready after ${startTimeoutMs / 1000} s:\n${lastLines.join('\n')}`);
    }
    await delay(5);
  }
  throw new Error(await exited);
}

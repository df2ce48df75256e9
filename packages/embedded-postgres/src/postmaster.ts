// The server's own record of its main process, the postmaster, in its folder.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMissing } from './os-user.ts';
import { commandLine, processIdentity } from './process-identity.ts';

export interface PostmasterFile {
  pid: number;
  ready: boolean;
}

/** Reads postmaster.pid: the pid is its first line, the state its eighth. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The pid of the postmaster that runs on this cluster, from any program. */
export function livingPostmaster(cluster: string): number | undefined {
  const file = readPostmasterFile(cluster);
  return file && isPostmaster(file.pid, cluster) ? file.pid : undefined;
}

function isPostmaster(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  return process.platform === 'win32' || commandLine(pid).includes(`-D ${cluster} `);
}

/** Stops a postmaster that outlived its owner: sessions are cut, what they committed is kept. */
export async function stopPostmaster(cluster: string, timeoutMs = 10_000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const pid = livingPostmaster(cluster);
    if (pid === undefined) return;
    process.kill(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if (!isPostmaster(pid, cluster)) return;
      await delay(20);
    }
  }
  throw new Error(`A PostgreSQL of an earlier run (pid ${livingPostmaster(cluster)}) does not stop.`);
}

/**
 * Removes a postmaster.pid whose process is dead, but whose pid looks alive to the server: a zombie without a reaper, or another
 * program of the same user with that pid. Only when no server process runs in the folder, because the file also protects against
 * those.
 */
export async function removeStalePostmasterFile(cluster: string): Promise<void> {
  const file = readPostmasterFile(cluster);
  if (!file || process.platform !== 'linux' || isPostmaster(file.pid, cluster)) return;
  if (hasProcessIn(cluster)) return;
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

function hasProcessIn(cluster: string): boolean {
  const folder = realpathSync(cluster);
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false; // gone meanwhile, a zombie, or another user's and so not ours
    }
  });
}

// While the local runner is up, this file tells the other commands where its database is.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { processIdentity } from '@service/embedded-postgres';

export interface Running {
  pid: number;
  databaseUrl: string;
  /** The address of the API, without a trailing slash. */
  baseUrl: string;
}

/** The identity tells the process from a later one that got its pid. */
type RunningRecord = Running & { identity: string | undefined };

const pathIn = (dataDir: string) => join(resolve(dataDir), 'running.json');

/** Records this process as the running one and returns the removal. */
export async function writeRunning(
  dataDir: string,
  { databaseUrl, baseUrl }: Omit<Running, 'pid'>,
): Promise<() => Promise<void>> {
  const path = pathIn(dataDir);
  const record: RunningRecord = {
    pid: process.pid,
    identity: processIdentity(process.pid),
    databaseUrl,
    baseUrl,
  };
  await writeFile(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await chmod(path, 0o600); // a leftover keeps its old mode otherwise
  return () => rm(path, { force: true });
}

/** Where the local runner's database is, or undefined when none runs on this data folder (a leftover counts as none). */
export async function readRunning(dataDir: string): Promise<Running | undefined> {
  const record = await read(dataDir);
  if (!record || !isAlive(record)) return undefined;
  const { identity: _identity, ...running } = record;
  return running;
}

/** Whether the last run on this data folder was killed, so that its parts may still be ending. */
export async function hasKilledRun(dataDir: string): Promise<boolean> {
  const record = await read(dataDir);
  return record !== undefined && !isAlive(record);
}

function isAlive(record: RunningRecord): boolean {
  return processIdentity(record.pid) === record.identity;
}

async function read(dataDir: string): Promise<RunningRecord | undefined> {
  try {
    return JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as RunningRecord;
  } catch {
    return undefined;
  }
}

// While the local runner is up, a file contains the address of its database for the other commands.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { processIdentity } from '@service/embedded-postgres';

export interface Running {
  pid: number;
  databaseUrl: string;
  /** The address of the API, without a trailing slash. */
  baseUrl: string;
}

/** The identity distinguishes the process from a later one with the same pid. */
type RunningRecord = Running & { identity: string | undefined };

const pathIn = (dataDir: string) => join(resolve(dataDir), 'running.json');

/** Records this process as the running one. Returns a function that removes the record. */
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
  await chmod(path, 0o600); // an old file keeps its mode otherwise
  return () => rm(path, { force: true });
}

/** The local runner of this data folder with the address of its database. Undefined when none runs, also when its file remains. */
export async function readRunning(dataDir: string): Promise<Running | undefined> {
  const record = await read(dataDir);
  if (!record || !isAlive(record)) return undefined;
  const { identity: _identity, ...running } = record;
  return running;
}

/** True when the last run on this data folder was killed. Its child processes may still be ending. */
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

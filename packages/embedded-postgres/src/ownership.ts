// One program owns a data folder at a time. The record names it by pid and start time, so that neither a crash nor a
// reused pid blocks the next start.
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, writePrivate, type OsUser } from './os-user.ts';
import { processIdentity } from './process-identity.ts';

interface Owner {
  pid: number;
  identity: string;
}

/** Claims the folder for this process and returns the release; throws "already running" while another one lives. */
export async function claimOwnership(home: string, user: OsUser | undefined): Promise<() => Promise<void>> {
  const record = join(home, 'owner.json');
  const draft = `${record}.${process.pid}`;
  const me: Owner = { pid: process.pid, identity: processIdentity(process.pid) ?? '' };
  await writePrivate(draft, `${JSON.stringify(me)}\n`, user);
  try {
    while (!(await linkIfFree(draft, record))) await discardIfDead(record, home);
  } finally {
    await rm(draft, { force: true });
  }
  return () => rm(record, { force: true });
}

/** The pid of the living program that owns this home, if any. */
export async function livingOwner(home: string): Promise<number | undefined> {
  const owner = await read(join(home, 'owner.json'));
  return isAlive(owner) ? owner.pid : undefined;
}

// link() is the one call that both creates and refuses atomically with the content already in place.
async function linkIfFree(draft: string, record: string): Promise<boolean> {
  try {
    await link(draft, record);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function discardIfDead(record: string, home: string): Promise<void> {
  const owner = await read(record);
  if (isAlive(owner)) {
    const message = `The database in ${home} is already running (pid ${owner.pid}). Stop that process or set another DATA_DIR.`;
    throw Object.assign(new Error(message), { code: 'already_running', pid: owner.pid });
  }
  const grave = `${record}.dead.${process.pid}`;
  await rename(record, grave).catch((error) => {
    if (!isMissing(error)) throw error;
  });
  // Between reading and renaming, another start may have put its own living record there: give it back.
  if (isAlive(await read(grave))) await link(grave, record).catch(() => {});
  await rm(grave, { force: true });
}

function isAlive(owner: Owner | undefined): owner is Owner {
  return owner !== undefined && processIdentity(owner.pid) === owner.identity;
}

async function read(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

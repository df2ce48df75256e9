// The cluster is PostgreSQL's own folder. It is made once, beside its final place, so a half-made one is never used.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binaryPath, serverEnvironment } from './binaries.ts';
import type { Placement } from './placement.ts';
import { isMissing, writePrivate } from './os-user.ts';

export interface Cluster {
  folder: string;
  password: string;
  created: boolean;
}

const run = promisify(execFile);

/** Returns the cluster of this home, made now when there is none or the last attempt was cut short. */
export async function ensureCluster(placement: Placement, version: string): Promise<Cluster> {
  const folder = join(placement.home, 'cluster');
  await removeLeftovers(placement.home);
  const existing = await readIfPresent(join(folder, 'PG_VERSION'));
  if (existing === undefined) return { folder, password: await initialise(placement, folder), created: true };

  const major = version.split('.')[0];
  if (existing.trim() !== major) {
    throw new Error(
      `${folder} was made by PostgreSQL ${existing.trim()} and this is ${major}. ` +
        'Move that folder away, or set DATABASE_URL to a server of its version.',
    );
  }
  const password = await readIfPresent(join(placement.home, 'password'));
  if (password === undefined)
    throw new Error(`The database password file ${placement.home}/password is missing.`);
  return { folder, password: password.trim(), created: false };
}

async function initialise({ home, binaries, user }: Placement, folder: string): Promise<string> {
  const suffix = randomBytes(6).toString('hex');
  const draft = `${folder}.new-${suffix}`;
  const passwordFile = join(home, `initdb-password-${suffix}`);
  const password = randomBytes(24).toString('base64url');
  try {
    await writePrivate(passwordFile, `${password}\n`, user);
    await run(
      binaryPath(binaries, 'initdb'),
      [
        `--pgdata=${draft}`,
        '--username=app',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        ...localeFlags(),
      ],
      { uid: user?.uid, gid: user?.gid, cwd: home, env: serverEnvironment },
    );
    // The password first: a cluster in place always has one.
    await writePrivate(join(home, 'password'), `${password}\n`, user);
    await setAside(folder);
    await rename(draft, folder);
    return password;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(`PostgreSQL could not make its data folder in ${home}: ${reason}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

// A folder without PG_VERSION is no cluster, but it is not ours to delete either.
async function setAside(folder: string): Promise<void> {
  await rename(folder, `${folder}.incomplete-${Date.now()}`).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}

// The built-in provider sorts by code point, the same on every machine and C library, and lets `like 'x%'` use an
// index. Character classes of full text search and pg_trgm still come from the C library, where only Linux is sure
// to have C.UTF-8.
function localeFlags(): string[] {
  return [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C',
  ];
}

async function removeLeftovers(home: string): Promise<void> {
  const names = await readdir(home);
  const leftovers = names.filter((name) => /^(cluster\.new-|initdb-password-)/.test(name));
  await Promise.all(
    leftovers.map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 5 })),
  );
}

async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

// PostgreSQL refuses to run as root, so under root it runs as the operating system's user `postgres`.
import { execFile, spawnSync } from 'node:child_process';
import { chown, rename, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

const run = promisify(execFile);
const name = 'postgres';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The existing system user `postgres`, or one made now. Only root may call this. */
export async function findOrCreatePostgresUser(): Promise<OsUser> {
  const existing = await lookUp();
  if (existing) return existing;
  try {
    await run('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  } catch (cause) {
    throw new Error(
      `PostgreSQL does not run as root, and the system user "${name}" could not be made. ` +
        'Start as an ordinary user, create that user, or set DATABASE_URL.',
      { cause },
    );
  }
  const created = await lookUp();
  if (!created)
    throw new Error(`useradd made no user "${name}"; start as an ordinary user or set DATABASE_URL.`);
  return created;
}

/** True if that user may read and enter all of these folders. The kernel is asked, so that ACLs count too. */
export function canEnter(user: OsUser, folders: string[]): boolean {
  const script = 'for path do [ -r "$path" ] && [ -x "$path" ] || exit 1; done';
  const { status, error } = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  if (error) {
    throw new Error(
      `This machine does not let root run a program as user "${user.name}"; set DATABASE_URL.`,
      {
        cause: error,
      },
    );
  }
  return status === 0;
}

async function lookUp(): Promise<OsUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Writes a file that only its owner can read; it appears complete or not at all. */
export async function writePrivate(path: string, text: string, user: OsUser | undefined): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  if (user) await chown(draft, user.uid, user.gid);
  await rename(draft, path);
}

/** True for the error of a missing file or folder. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

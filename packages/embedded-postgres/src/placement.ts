// Decides where the server's programs and data live, and as whom they run. Only root has anything to decide: the user
// `postgres` may be shut out of a clone in root's own home, and then both move to a folder that it can enter.
import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
  copyFile,
  readdir,
  readlink,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canEnter, findOrCreatePostgresUser, isMissing, isRoot, type OsUser } from './os-user.ts';
import { livingOwner } from './ownership.ts';

export interface Placement {
  /** Folder with the cluster, its password and the ownership record. */
  home: string;
  /** Folder with bin, lib and share. */
  binaries: string;
  /** Undefined: run as ourselves. */
  user: OsUser | undefined;
  /** Sentences for people, when something is not where they would look for it. */
  notes: string[];
}

interface PlacementOptions {
  dataDir: string;
  binaries: Binaries;
  relocationRoot: string;
}

/** Makes the home folder ready and returns where everything is. The same `dataDir` always gives the same home. */
export async function choosePlacement({
  dataDir,
  binaries,
  relocationRoot,
}: PlacementOptions): Promise<Placement> {
  const wanted = resolve(dataDir);
  await mkdir(wanted, { recursive: true, mode: isRoot() ? 0o755 : 0o700 });
  if (!isRoot()) {
    await requireAccess(wanted);
    return { home: wanted, binaries: binaries.folder, user: undefined, notes: [] };
  }

  const user = (await clusterOwner(wanted)) ?? (await findOrCreatePostgresUser());
  const notes: string[] = [];
  const folder = await reachableBinaries(user, binaries, relocationRoot);
  if (folder !== binaries.folder) {
    notes.push(
      `PostgreSQL's programs run from ${folder}: user "${user.name}" may not enter ${binaries.folder}.`,
    );
  }
  const home = await reachableHome(user, wanted, relocationRoot, notes);
  await chown(home, user.uid, user.gid);
  await chmod(home, 0o700);
  return { home, binaries: folder, user, notes };
}

async function requireAccess(home: string): Promise<void> {
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause) => {
    throw new Error(
      `${home} belongs to another user. Start as that user (or as root), or choose another folder with DATA_DIR.`,
      { cause },
    );
  });
}

// A cluster made by an ordinary user and now started by root stays that user's.
async function clusterOwner(home: string): Promise<OsUser | undefined> {
  try {
    const { uid, gid } = await stat(join(home, 'cluster'));
    return uid === 0 ? undefined : { name: `uid ${uid}`, uid, gid };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function reachableBinaries(user: OsUser, binaries: Binaries, relocationRoot: string): Promise<string> {
  const folders = ['bin', 'lib', 'share'].map((name) => join(binaries.folder, name));
  if (canEnter(user, folders)) return binaries.folder;
  const copy = join(relocationRoot, `postgresql-${binaries.version}-${binaries.platform}`);
  if (await exists(copy)) return copy;
  await makeShared(relocationRoot);
  const draft = `${copy}.${process.pid}.new`;
  try {
    await copyTree(binaries.folder, draft);
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start on this machine was quicker.
    if (!(await exists(copy))) throw error;
  }
  return copy;
}

async function reachableHome(
  user: OsUser,
  wanted: string,
  relocationRoot: string,
  notes: string[],
): Promise<string> {
  const original = await realpath(wanted);
  if (canEnter(user, [dirname(original)])) return original;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 10);
  const home = join(relocationRoot, `${basename(original).replace(/^\.+/, '')}-${hash}`);
  const marker = join(original, 'moved-to');
  if (!(await exists(marker)) && (await exists(home)) && !(await livingOwner(home))) {
    // The data folder was deleted, and with it the keys of the old data. So the old data is set aside.
    const aside = `${home}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(home, aside);
    notes.push(`${original} was removed, so its database begins anew; the old one is kept in ${aside}.`);
  }
  await makeShared(relocationRoot);
  await writeFile(marker, `${home}\n`);
  await mkdir(home, { recursive: true });
  notes.push(`The database is in ${home}: user "${user.name}" may not enter ${dirname(original)}.`);
  return home;
}

async function makeShared(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755); // independent of the umask
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Copies a folder so that every user can read it and run its programs. Symlinks stay relative symlinks. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await copyTree(source, target);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else {
      await copyFile(source, target);
      const { mode } = await stat(source);
      await chmod(target, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

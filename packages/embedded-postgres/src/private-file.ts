import { chown, rename, writeFile } from 'node:fs/promises';
import type { OsUser } from './os-user.ts';

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

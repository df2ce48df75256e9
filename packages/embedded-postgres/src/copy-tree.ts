import { chmod, copyFile, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Copies a folder so that every user can read it and run its programs. Symlinks stay relative symlinks. */
export async function copyTree(from: string, to: string): Promise<void> {
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

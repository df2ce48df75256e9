// A disk of its own for the tables of a database, so that a drill can fill it and nothing else on the machine.
import { execFile } from 'node:child_process';
import { chown, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotRun } from './drill.ts';

export interface SmallDisk extends AsyncDisposable {
  folder: string;
  /** Leaves no free byte. Returns how many megabytes it took. */
  fill(): Promise<number>;
  free(): Promise<void>;
}

const run = promisify(execFile);

const sizeMegabytes = 400;
const chunk = Buffer.alloc(64 * 1024);

/** Mounts memory as a disk below `parent`, owned by the user who owns `dataDir`. Throws CannotRun where that needs more rights. */
export async function mountSmallDisk(parent: string, dataDir: string): Promise<SmallDisk> {
  const mountPoint = join(parent, 'disk');
  await mkdir(mountPoint);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m`, 'tmpfs', mountPoint]);
  } catch (error) {
    throw new CannotRun('It mounts a small disk, which only root may do, on Linux.', { cause: error });
  }
  const folder = join(mountPoint, 'tables');
  const { uid, gid } = await stat(join(dataDir, 'cluster'));
  await mkdir(folder);
  await chown(folder, uid, gid);
  const ballast = join(mountPoint, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'w');
      try {
        for (let chunks = 0; ; chunks += 1) {
          const written = await file.write(chunk).catch(() => undefined);
          if (written?.bytesWritten !== chunk.length) return Math.round((chunks * chunk.length) / 2 ** 20);
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', mountPoint]);
    },
  };
}

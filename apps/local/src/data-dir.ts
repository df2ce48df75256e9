import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the data folder. Others may enter it, since the database's user has to; the files in it are private. */
export async function makeDataDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
}

/** The secret of that name, 32 random bytes in base64, made on first use and the same ever after. */
export async function readOrCreateSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    await link(draft, path); // refuses when it exists, and is never seen half written
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const secret = (await readFile(path, 'utf8')).trim();
  if (Buffer.from(secret, 'base64').length !== 32)
    throw new Error(`${path} does not hold 32 bytes in base64.`);
  return secret;
}

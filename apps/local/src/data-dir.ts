import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Creates the data folder. The database's user must be able to enter it, so others can; the files in it are private. */
export async function makeDataDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
}

/** The secret with this name, 32 random bytes in base64. Created on first use. */
export async function readOrCreateSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
    await link(draft, path); // fails when it exists, and is atomic
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const secret = (await readFile(path, 'utf8')).trim();
  if (Buffer.from(secret, 'base64').length !== 32)
    throw new Error(`${path} must contain 32 bytes in base64.`);
  return secret;
}

/** The sign-in of the demo workspace. Created on the first start and stored beside the database. */
export interface DemoAccount {
  email: string;
  password: string;
  /** The workspace and its webinar with a video. Undefined until they are made, and in a folder of an older version. */
  webinar?: { accountId: string; webinarId: string };
}

export const demoAccountFile = (dataDir: string): string => join(resolve(dataDir), 'demo-account.json');

export async function readDemo(dataDir: string): Promise<DemoAccount | undefined> {
  try {
    return JSON.parse(await readFile(demoAccountFile(dataDir), 'utf8')) as DemoAccount;
  } catch {
    return undefined;
  }
}

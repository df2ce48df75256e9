import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The sign-in of the demo workspace. Created on the first start and stored beside the database. */
export interface DemoAccount {
  email: string;
  password: string;
}

export const demoAccountFile = (dataDir: string): string => join(resolve(dataDir), 'demo-account.json');

export async function readDemo(dataDir: string): Promise<DemoAccount | undefined> {
  try {
    return JSON.parse(await readFile(demoAccountFile(dataDir), 'utf8')) as DemoAccount;
  } catch {
    return undefined;
  }
}

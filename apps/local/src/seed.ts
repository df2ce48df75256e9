import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { databaseTime } from '@service/database';
import { createWebinar, CreateWebinarInput, onceAt, publishWebinar } from '@service/webinars';
import { demoAccountFile, readDemo, type DemoAccount } from './data-dir.ts';
import { openAdmin, type Admin } from './open-admin.ts';

export interface SeedInput {
  databaseUrl: string;
  dataDir: string;
}

const weekMs = 7 * 86_400_000;
const hourMs = 3_600_000;

/**
 * Creates the demo workspace in a database without workspaces, and returns its sign-in. Undefined for a database with other
 * workspaces.
 */
export async function seedDemo({ databaseUrl, dataDir }: SeedInput): Promise<DemoAccount | undefined> {
  const admin = await openAdmin({ DATABASE_URL: databaseUrl });
  try {
    const known = await readDemo(dataDir);
    if (await admin.accounts.hasAccounts()) return known;
    const account = known ?? { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
    // Stored first: if the start is interrupted here, the next start creates the workspace with the same sign-in.
    await writeFile(demoAccountFile(dataDir), `${JSON.stringify(account)}\n`, { mode: 0o600 });
    await createDemoWorkspace(admin, account);
    return account;
  } finally {
    await admin.close();
  }
}

async function createDemoWorkspace(admin: Admin, { email, password }: DemoAccount): Promise<void> {
  const { accountId } = await admin.accounts.createAccount({
    name: 'Demo workspace',
    ownerEmail: email,
    ownerPassword: password,
  });
  const startsAt = new Date(Math.ceil((databaseTime().getTime() + weekMs) / hourMs) * hourMs);
  const input = CreateWebinarInput.parse({
    title: 'Getting started with webhooks',
    description: 'A webinar for experiments. Register an attendee to see a webhook.',
    schedule: { recurrences: [onceAt(startsAt)] },
  });
  await admin.write(accountId, async (tx) => {
    const webinar = await createWebinar(tx, input);
    await publishWebinar(tx, webinar.id);
  });
}

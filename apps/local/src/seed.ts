import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseTime } from '@service/database';
import { AppError } from '@service/errors';
import { createInteraction, createWebinar, publishWebinar, updateWebinar } from '@service/webinars';
import { demoAccountFile, readDemo, type DemoAccount } from './data-dir.ts';
import { demoInteractions, demoWebinar } from './demo-webinar.ts';
import { openAdmin, type Admin } from './open-admin.ts';

export interface SeedInput {
  databaseUrl: string;
  dataDir: string;
  /** Of the running service. */
  baseUrl: string;
}

export interface Demo extends DemoAccount {
  /** Undefined when the webinar was deleted or its page gives no link. */
  room?: DemoRoom | undefined;
}

interface DemoRoom {
  pageUrl: string;
  /** Of an attendee of the next session. */
  joinUrl: string;
  startsAt: string;
}

/**
 * Creates the demo workspace in a database without workspaces, and returns its sign-in. Undefined for a database with other
 * workspaces. Each start gives the webinar of the workspace sessions in the next minutes, and registers an attendee.
 */
export async function seedDemo({ databaseUrl, dataDir, baseUrl }: SeedInput): Promise<Demo | undefined> {
  const admin = await openAdmin({ DATABASE_URL: databaseUrl });
  try {
    const known = await readDemo(dataDir);
    if (await admin.accounts.hasAccounts()) {
      const slug = known?.webinar && (await renewSessions(admin, known.webinar, baseUrl));
      return known && { ...known, room: slug === undefined ? undefined : await joinDemo(baseUrl, slug) };
    }
    const account = known ?? { email: 'demo@example.com', password: randomBytes(9).toString('hex') };
    const store = (demo: DemoAccount): Promise<void> =>
      writeFile(demoAccountFile(dataDir), `${JSON.stringify(demo)}\n`, { mode: 0o600 });
    // Stored first: if the start is interrupted here, the next start creates the workspace with the same sign-in.
    await store(account);
    const { slug, ...webinar } = await createDemoWorkspace(admin, account, baseUrl);
    await store({ ...account, webinar });
    return { ...account, room: await joinDemo(baseUrl, slug) };
  } finally {
    await admin.close();
  }
}

async function createDemoWorkspace(admin: Admin, { email, password }: DemoAccount, baseUrl: string) {
  const { accountId } = await admin.accounts.createAccount({
    name: 'Demo workspace',
    ownerEmail: email,
    ownerPassword: password,
  });
  return admin.write(accountId, async (tx) => {
    const { id: webinarId, slug } = await createWebinar(tx, demoWebinar(baseUrl, databaseTime()));
    for (const { type, ...fields } of demoInteractions(baseUrl, webinarId))
      await createInteraction(tx, type, fields);
    await publishWebinar(tx, webinarId);
    return { accountId, webinarId, slug };
  });
}

/** Gives the webinar sessions from now on, and its video the present address. Its slug; undefined if it was deleted. */
async function renewSessions(
  admin: Admin,
  { accountId, webinarId }: NonNullable<DemoAccount['webinar']>,
  baseUrl: string,
): Promise<string | undefined> {
  const { schedule, video } = demoWebinar(baseUrl, databaseTime());
  try {
    return await admin.write(accountId, async (tx) => {
      const { slug } = await updateWebinar(tx, { webinarId, schedule, video }, noWindowChange);
      return slug;
    });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The attribution window of the webinar stays. */
const noWindowChange = { onWindowChanged: () => Promise.resolve() };

/** A form that is sent sooner is taken for that of a program. */
const formSeconds = 2.2;

/** Registers an attendee on the public page of the webinar. Undefined if the page gives no link, as when it mails links only. */
async function joinDemo(baseUrl: string, slug: string): Promise<DemoRoom | undefined> {
  const pageUrl = `${baseUrl}/w/${slug}`;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const page = await fetch(pageUrl, { headers });
  if (!page.ok) return undefined;
  const { data } = (await page.json()) as {
    data: { formToken: string; slots: { startsAt: string; kind: string }[] };
  };
  // A slot of the minute in which the form is sent would be an on-demand session.
  const soonest = Date.now() + 2 * formSeconds * 1000;
  const next = data.slots.find(
    ({ kind, startsAt }) => kind === 'scheduled' && Date.parse(startsAt) > soonest,
  );
  if (!next) return undefined;
  await wait(formSeconds * 1000);
  const registration = {
    name: 'Ada Lovelace',
    email: `ada+${randomBytes(6).toString('hex')}@example.com`,
    sessionTime: next.startsAt,
    formToken: data.formToken,
  };
  const answer = await fetch(`${pageUrl}/registrations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(registration),
  });
  if (answer.status !== 201) return undefined;
  const { data: registered } = (await answer.json()) as { data: { joinUrl: string } };
  return { pageUrl, joinUrl: registered.joinUrl, startsAt: next.startsAt };
}

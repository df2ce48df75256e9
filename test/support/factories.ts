// An account, its key and its webinar, made through the doors of the modules. For tests, benches and drills alike.
import { randomBytes } from 'node:crypto';
import type { Accounts } from '@service/accounts';
import { allScopes, allSurfaces, type Scope, type Surface } from '@service/catalogue';
import { accountWriter, createId, type AccountWriter, type Database } from '@service/database';
import { createApiKey, issueAccessToken } from '@service/keys';
import { createWebinar, CreateWebinarInput, onceAt, publishWebinar } from '@service/webinars';

/** A workspace and its owner. */
export interface TestAccount {
  accountId: string;
  userId: string;
  email: string;
  password: string;
}

export interface PublishedWebinar {
  id: string;
  /** The start of its only session, ISO 8601. */
  sessionTime: string;
}

export interface KeyGrants {
  scopes?: readonly Scope[];
  surfaces?: readonly Surface[];
  expiresAt?: Date;
}

/** A workspace with its owner. Hashing the password takes about 100 ms of CPU. */
export async function createOwner(accounts: Pick<Accounts, 'createAccount'>): Promise<TestAccount> {
  const email = `owner-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('hex');
  const made = await accounts.createAccount({ name: 'Test', ownerEmail: email, ownerPassword: password });
  return { ...made, email, password };
}

/** An API key's text and id; full access by default. */
export async function createKey(
  database: Database,
  accountId: string,
  { scopes = allScopes, surfaces = allSurfaces, expiresAt }: KeyGrants = {},
): Promise<{ key: string; id: string }> {
  const createdBy = { kind: 'operator' } as const;
  const grants = { label: 'Test', preset: null, scopes, surfaces, createdBy, expiresAt: expiresAt ?? null };
  const { key, apiKey } = await writeAs(database, accountId, (tx) => createApiKey(tx, grants));
  return { key, id: apiKey.id };
}

/** The access token of a grant; full access by default. The grant itself is only its id. */
export async function createAccessToken(
  database: Database,
  accountId: string,
  { scopes = allScopes, grantId = createId() }: { scopes?: readonly Scope[]; grantId?: string } = {},
): Promise<{ token: string; grantId: string }> {
  const grant = { grantId, label: 'Test client', scopes, createdBy: { kind: 'operator' } as const };
  const { token } = await writeAs(database, accountId, (tx) => issueAccessToken(tx, grant));
  return { token, grantId };
}

/** A published webinar with one session. */
export function createPublishedWebinar(
  database: Database,
  accountId: string,
  { sessionTime, ...fields }: { sessionTime: string; title?: string; description?: string },
): Promise<PublishedWebinar> {
  const input = CreateWebinarInput.parse({ title: 'Launch', schedule: scheduleAt(sessionTime), ...fields });
  return writeAs(database, accountId, async (tx) => {
    const { id } = await createWebinar(tx, input);
    await publishWebinar(tx, id);
    return { id, sessionTime };
  });
}

/** The schedule of one session at a time, for a webinar in UTC. */
export const scheduleAt = (sessionTime: string) => ({ recurrences: [onceAt(new Date(sessionTime))] });

/** A transaction of an account. */
export const writeAs = <Result>(
  database: Database,
  accountId: string,
  work: (tx: AccountWriter) => Promise<Result>,
): Promise<Result> => database.transaction((tx) => work(accountWriter(tx, { accountId, now: new Date() })));

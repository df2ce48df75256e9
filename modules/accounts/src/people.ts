// Accounts that an operator creates without a browser (admin command, demo).
import { databaseTime, isUniqueViolation } from '@service/database';
import { parseInput } from '@service/trpc';
import type { AuthContext, DBTransactionAdapter } from 'better-auth';
import type { z } from 'zod';
import { createWorkspace, workspaceNameOf } from './workspace.ts';
import { accountErrors } from './errors.ts';
import { NewAccountInput, NewMemberInput } from './schemas.ts';

export type NewAccount = z.input<typeof NewAccountInput>;
export type NewMember = z.input<typeof NewMemberInput>;

/** The part of better-auth that this file uses. */
export type AuthStore = Pick<AuthContext, 'adapter' | 'internalAdapter' | 'password'>;

interface Person {
  email: string;
  password: string;
  name: string | undefined;
}

/** Creates a workspace and its owner in one transaction. */
export async function createAccount(
  context: AuthStore,
  input: NewAccount,
): Promise<{ accountId: string; userId: string }> {
  const { name, ownerEmail, ownerPassword, ownerName } = parseInput(NewAccountInput, input);
  const person = { email: ownerEmail, password: ownerPassword, name: ownerName };
  return await withUser(context, person, async (adapter, userId) => ({
    accountId: await createWorkspace(adapter, { name, ownerId: userId }),
    userId,
  }));
}

/** Adds a user to a workspace without an invitation. Creates the user if needed. */
export async function addMember(context: AuthStore, input: NewMember): Promise<{ userId: string }> {
  const { accountId, role, ...person } = parseInput(NewMemberInput, input);
  return await withUser(context, { ...person, name: person.name }, async (adapter, userId) => {
    const workspace = await adapter.count({
      model: 'organization',
      where: [{ field: 'id', value: accountId }],
    });
    if (workspace === 0) throw accountErrors.workspace_not_found();
    await adapter.create({
      model: 'member',
      data: { organizationId: accountId, userId, role, createdAt: databaseTime() },
    });
    return { userId };
  });
}

/**
 * Runs `work` in one transaction with the user of an e-mail address. Creates a new user, and checks the password of an existing
 * one.
 */
async function withUser<Result>(
  context: AuthStore,
  person: Person,
  work: (adapter: DBTransactionAdapter, userId: string) => Promise<Result>,
): Promise<Result> {
  // Hashing takes 0.1 s, so it is done before the transaction.
  const hash = await context.password.hash(person.password);
  try {
    const known = await knownUser(context, person);
    return await context.adapter.transaction(async (adapter) =>
      work(adapter, known ?? (await createUser(adapter, { ...person, hash }))),
    );
  } catch (error) {
    if (isUniqueViolation(error, 'user_email_unique')) throw accountErrors.email_in_use({ cause: error });
    if (isUniqueViolation(error, 'member_once_unique')) throw accountErrors.already_member({ cause: error });
    throw error;
  }
}

async function knownUser(context: AuthStore, { email, password }: Person): Promise<string | undefined> {
  const found = await context.internalAdapter.findUserByEmail(email, { includeAccounts: true });
  if (!found) return undefined;
  const hash = found.accounts.find((account) => account.providerId === 'credential')?.password;
  if (!hash || !(await context.password.verify({ hash, password }))) throw accountErrors.email_in_use();
  return found.user.id;
}

interface ConfirmedUser {
  email: string;
  name: string;
  /** Of the password. */
  hash: string;
  /** Null: named after the person. */
  workspaceName: string | null;
}

/** Creates a user, whose address is verified, with a workspace. Throws a unique violation for an address that has a user. */
export async function createConfirmedUser(
  context: Pick<AuthStore, 'adapter'>,
  { workspaceName, ...person }: ConfirmedUser,
): Promise<void> {
  await context.adapter.transaction(async (adapter) => {
    const ownerId = await createUser(adapter, person);
    await createWorkspace(adapter, { name: workspaceName ?? workspaceNameOf(person), ownerId });
  });
}

/**
 * Writes the same rows as better-auth's sign-up, without a session. The address is verified: its owner has opened a link, or an
 * operator vouches for it.
 */
async function createUser(
  adapter: DBTransactionAdapter,
  { email, name, hash }: Omit<Person, 'password'> & { hash: string },
): Promise<string> {
  const now = databaseTime();
  const user = await adapter.create({
    model: 'user',
    data: { name: name ?? email.split('@')[0], email, emailVerified: true, createdAt: now, updatedAt: now },
  });
  await adapter.create({
    model: 'account',
    data: {
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: hash,
      createdAt: now,
      updatedAt: now,
    },
  });
  return user.id;
}

// Accounts made by an operator (admin command, demo), without a browser.
import { databaseTime, isUniqueViolation } from '@service/database';
import { commonErrors } from '@service/errors';
import { issuesOf } from '@service/trpc';
import type { AuthContext, DBTransactionAdapter } from 'better-auth';
import type { z } from 'zod';
import { createWorkspace } from './create-workspace.ts';
import { accountErrors } from './errors.ts';
import { NewAccountInput, NewMemberInput } from './schemas.ts';

export type NewAccount = z.input<typeof NewAccountInput>;
export type NewMember = z.input<typeof NewMemberInput>;

/** What of better-auth this file uses. */
export type AuthStore = Pick<AuthContext, 'adapter' | 'internalAdapter' | 'password'>;

interface Person {
  email: string;
  password: string;
  name: string | undefined;
}

/** Makes a workspace and its owner, in one transaction. */
export async function createAccount(
  context: AuthStore,
  input: NewAccount,
): Promise<{ accountId: string; userId: string }> {
  const { name, ownerEmail, ownerPassword, ownerName } = parsed(NewAccountInput, input);
  const person = { email: ownerEmail, password: ownerPassword, name: ownerName };
  return await withUser(context, person, async (adapter, userId) => ({
    accountId: await createWorkspace(adapter, { name, ownerId: userId }),
    userId,
  }));
}

/** Puts somebody into a workspace without an invitation, making the user if there is none. */
export async function addMember(context: AuthStore, input: NewMember): Promise<{ userId: string }> {
  const { accountId, role, ...person } = parsed(NewMemberInput, input);
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

/** Runs `work` with the user of an e-mail address, found if the password is theirs, else made, in one transaction. */
async function withUser<Result>(
  context: AuthStore,
  person: Person,
  work: (adapter: DBTransactionAdapter, userId: string) => Promise<Result>,
): Promise<Result> {
  // Hashing takes a tenth of a second: not while the transaction is open.
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

/** The same rows as better-auth's sign-up, without a session. */
async function createUser(
  adapter: DBTransactionAdapter,
  { email, name, hash }: Person & { hash: string },
): Promise<string> {
  const now = databaseTime();
  const user = await adapter.create({
    model: 'user',
    data: { name: name ?? email.split('@')[0], email, emailVerified: false, createdAt: now, updatedAt: now },
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

function parsed<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw commonErrors.validation_failed({ issues: issuesOf(result.error) });
}

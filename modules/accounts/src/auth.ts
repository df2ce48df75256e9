import { clockOffsetMs, createId, databaseTime } from '@service/database';
import {
  betterAuth,
  getCurrentAdapter,
  type Auth,
  type BetterAuthOptions,
  type GenericEndpointContext,
} from 'better-auth';
import { APIError } from 'better-auth/api';
import { organization, twoFactor } from 'better-auth/plugins';
import type pg from 'pg';
import type { z } from 'zod';
import { clientAddressHeader } from './node-http.ts';
import type { Acceptance } from './member-changes.ts';
import { membersMax } from './members.ts';
import { sessionSeconds, sessionUpdateSeconds } from './session-handler.ts';
import { passwordLength, personName, workspaceName } from './schemas.ts';
import { numberSecrets } from './two-factor.ts';
import { createWorkspace, workspaceNameOf } from './workspace.ts';

interface AuthOptions {
  pool: pg.Pool;
  baseUrl: string;
  secret: string;
  /** With which stored values may be encrypted still. */
  formerSecrets: readonly string[];
  trustedOrigins: readonly string[];
  onInvitationAccepted: (acceptance: Acceptance) => Promise<void>;
  onError: (message: string, cause: unknown) => void;
}

/** better-auth with explicit options, so that it reads no environment variable. */
export function createAuth({
  pool,
  baseUrl,
  secret,
  formerSecrets,
  trustedOrigins,
  onInvitationAccepted,
  onError,
}: AuthOptions): Auth {
  const options: BetterAuthOptions = {
    appName: 'Webinar service',
    baseURL: baseUrl,
    basePath: '/api/auth',
    trustedOrigins: [...trustedOrigins],
    // Without `secrets` better-auth would read BETTER_AUTH_SECRETS.
    secret,
    secrets: numberSecrets([secret, ...formerSecrets]),
    database: pool,
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => onError(message, details[0]),
    },
    // Unexpected errors are thrown. Else better-auth would print them to the console and answer 500.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
    },
    // Sessions are prolonged by session-handler.ts, with the database's time.
    session: { expiresIn: sessionSeconds, updateAge: sessionUpdateSeconds, disableSessionRefresh: true },
    // Replaced by sign-in-limits.ts, which counts for all processes and for each account.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'service',
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      // Explicit, because both checks are disabled by default when NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // The module's migrations create the schema, and a test compares it, so that a start does not.
      database: { generateId: () => createId(), validateSchema: false },
    },
    databaseHooks: {
      user: { create: { before: checkNewUser } },
      session: { create: { before: startSession }, delete: { before: keepValidSession } },
    },
    plugins: [
      organization({
        allowUserToCreateOrganization: false,
        membershipLimit: membersMax,
        // The id of an invitation, which only its link contains, is the proof.
        requireEmailVerificationOnInvitation: false,
        organizationHooks: {
          // A failure is only logged: the person is a member already.
          afterAcceptInvitation: ({ member: { organizationId: accountId }, user: { id: userId, name } }) =>
            onInvitationAccepted({ accountId, member: { userId, name } }).catch((error: unknown) =>
              onError('The acceptance of an invitation could not be recorded.', error),
            ),
        },
      }),
      twoFactor({ twoFactorTable: 'two_factor' }),
    ],
  };
  return betterAuth(options);
}

type EndpointContext = GenericEndpointContext | null;

/** Makes sure that the user has a workspace, and sets the times of the session by the database's clock. */
async function startSession(session: NewSession, context: EndpointContext) {
  await ensureWorkspace(session, context);
  const { expiresAt, createdAt, updatedAt } = session;
  return {
    data: {
      expiresAt: toDatabaseTime(expiresAt),
      createdAt: toDatabaseTime(createdAt),
      updatedAt: toDatabaseTime(updatedAt),
    },
  };
}

type NewSession = Record<'expiresAt' | 'createdAt' | 'updatedAt', Date> & { userId: string };

/** The paths that end sessions. Those of the second factor replace a session: before the code, and when the factor changes. */
const endingPaths = new Set([
  '/sign-out',
  '/change-password',
  '/sign-in/email',
  '/two-factor/verify-totp',
  '/two-factor/disable',
]);

/** Returns false to keep a session that has expired by the clock of this process, but is valid by the database's time. */
async function keepValidSession(
  { expiresAt }: { expiresAt: Date },
  context: EndpointContext,
): Promise<boolean | void> {
  if (!endingPaths.has(context?.path ?? '') && expiresAt > databaseTime()) return false;
}

/** Converts a time of better-auth, which uses the clock of the process, to the database's clock. */
const toDatabaseTime = (date: Date): Date => new Date(date.getTime() - clockOffsetMs());

/** Refuses a blank or too long name, and removes the URL of a picture. */
async function checkNewUser(user: { name: string }) {
  return { data: { name: parsed(personName, 'name', user.name), image: null } };
}

/**
 * Every user has a workspace. Creates one for a user without one: at sign-up, and at a sign-in after leaving the last workspace. At sign-up it runs
 * in the transaction that creates the user.
 */
async function ensureWorkspace(session: { userId: string }, ctx: EndpointContext): Promise<void> {
  if (!ctx) return;
  const adapter = await getCurrentAdapter(ctx.context.adapter);
  const { userId } = session;
  const memberships = await adapter.count({ model: 'member', where: [{ field: 'userId', value: userId }] });
  if (memberships > 0) return;
  const user = await adapter.findOne<{ name: string }>({
    model: 'user',
    where: [{ field: 'id', value: userId }],
  });
  const wanted =
    ctx.path === '/sign-up/email' ? (ctx.body as { workspaceName?: unknown }).workspaceName : undefined;
  const name =
    wanted === undefined
      ? workspaceNameOf(user ?? { name: 'My' })
      : parsed(workspaceName, 'workspaceName', wanted);
  await createWorkspace(adapter, { name, ownerId: userId });
}

function parsed(schema: z.ZodType<string>, field: string, value: unknown): string {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const message = result.error.issues[0]?.message ?? 'Not a text.';
  throw new APIError('UNPROCESSABLE_ENTITY', {
    code: 'VALIDATION_ERROR',
    message: `[body.${field}] ${message}`,
  });
}

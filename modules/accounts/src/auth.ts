import { clockOffsetMs, createId, databaseTime } from '@service/database';
import { betterAuth, type Auth, type BetterAuthOptions, type GenericEndpointContext } from 'better-auth';
import { organization } from 'better-auth/plugins';
import type pg from 'pg';
import { clientAddressHeader } from './client-address.ts';
import { checkNewUser, ensureWorkspace } from './first-workspace.ts';
import { membersMax } from './limits.ts';
import { passwordLength } from './schemas.ts';

interface AuthOptions {
  pool: pg.Pool;
  baseUrl: string;
  secret: string;
  trustedOrigins: readonly string[];
  onError: (message: string, cause: unknown) => void;
}

const daySeconds = 86_400;

/** A session lasts for this time after it was prolonged, which happens once a day. */
export const sessionSeconds = 7 * daySeconds;
export const sessionUpdateSeconds = daySeconds;

/** better-auth with everything it would otherwise take from the environment said here. */
export function createAuth({ pool, baseUrl, secret, trustedOrigins, onError }: AuthOptions): Auth {
  const options: BetterAuthOptions = {
    appName: 'Webinar service',
    baseURL: baseUrl,
    basePath: '/api/auth',
    trustedOrigins: [...trustedOrigins],
    // `secrets` too, or better-auth would look for BETTER_AUTH_SECRETS.
    secret,
    secrets: [{ version: 1, value: secret }],
    database: pool,
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => onError(message, details[0]),
    },
    // An error that is no answer comes to us; better-auth would print it to the console and answer 500.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
    },
    // Prolonged by our own handler, by the database's time.
    session: { expiresIn: sessionSeconds, updateAge: sessionUpdateSeconds, disableSessionRefresh: true },
    // Ours counts for all processes together and knows accounts: sign-in-limits.ts.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'service',
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      // Said because their defaults are off when NODE_ENV is "test".
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // The schema is migrated by us and compared by a test, not at each start.
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
        // No e-mails are sent yet. An invitation is accepted with its id, which only the link holds.
        requireEmailVerificationOnInvitation: false,
      }),
    ],
  };
  return betterAuth(options);
}

type EndpointContext = GenericEndpointContext | null;

/** Gives the user a workspace, and the session times by the database's clock. */
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

/** The paths that end sessions on purpose. */
const endingPaths = new Set(['/sign-out', '/change-password']);

/** False keeps the session: this process takes it for expired, but by the database's time it is valid. */
async function keepValidSession(
  { expiresAt }: { expiresAt: Date },
  context: EndpointContext,
): Promise<boolean | void> {
  if (!endingPaths.has(context?.path ?? '') && expiresAt > databaseTime()) return false;
}

/** better-auth goes by the calendar of its process: the same moment by the database's clock. */
const toDatabaseTime = (date: Date): Date => new Date(date.getTime() - clockOffsetMs());

import { createId } from '@service/database';
import { betterAuth, type Auth, type BetterAuthOptions } from 'better-auth';
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
    session: { expiresIn: 7 * daySeconds, updateAge: daySeconds },
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
      session: { create: { before: ensureWorkspace } },
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

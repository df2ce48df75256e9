import { getMigrations } from 'better-auth/db/migration';
import { Pool } from 'pg';
import { createAuthHandler } from './auth-handler.ts';
import { createAuth } from './auth.ts';
import { clientAddressOf } from './client-address.ts';
import { defaultCallLimit, type CallLimit } from './member-admission.ts';
import type { NodeHandler, NodeRequest } from './node-http.ts';
import { createOutageWatch, type OnError } from './outage-watch.ts';
import { createOutdatedSignIns } from './outdated-sign-in.ts';
import { addMember, createAccount, type NewAccount, type NewMember } from './people.ts';
import { createSessionCookieReader } from './session-cookie.ts';
import { createSessionHandler } from './session-handler.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignInLimits, type SignInLimit } from './sign-in-limits.ts';
import { createSignUpCheck, type SignUpMode } from './sign-up.ts';

export interface AccountsOptions {
  databaseUrl: string;
  /** Where people open the dashboard, for example https://webinars.example.com. https makes the cookies Secure. */
  baseUrl: string;
  /** Signs the session cookies: at least 32 random characters, the same on every process. */
  secret: string;
  /** Further origins the dashboard may be opened at, such as a development server's. None by default. */
  trustedOrigins?: readonly string[];
  /** The people who may sign up; anyone by default. */
  signUp?: SignUpMode;
  /** Attempts to sign in, sign up or change a password, per client address, over all processes. 10 a minute. */
  signInLimit?: SignInLimit | false;
  /** Whom to count them by; express's `req.ip`, else the socket's peer. */
  clientAddress?: (req: NodeRequest) => string;
  /** Calls of the dashboard in a window, over all processes. 600 of a session and 3,000 of an account each minute. */
  callLimit?: CallLimit | undefined;
  /** Connections of this module's own pool; 5. */
  poolSize?: number;
  /** Told what went wrong where nobody else is told: dropped connections, failures inside better-auth. */
  onError?: OnError;
}

export interface Accounts extends Omit<Sessions, 'workspacesOf'> {
  /** For `/api/auth/*`, on node:http or express, before any body parser. */
  handler: NodeHandler;
  /** For `GET /api/session`. */
  sessionHandler: NodeHandler;
  /**
   * Makes a workspace with its owner. An existing user is taken when the password is theirs.
   * Throws email_in_use, validation_failed.
   */
  createAccount(input: NewAccount): Promise<{ accountId: string; userId: string }>;
  /**
   * Puts a user into a workspace, making the user if need be, with the same rule about the password.
   * Throws workspace_not_found, already_member, email_in_use, validation_failed.
   */
  addMember(input: NewMember): Promise<{ userId: string }>;
  /** For operators, who name a workspace by its id. */
  accountExists(accountId: string): Promise<boolean>;
  /** Whether there is any workspace at all; a new installation has none. */
  hasAccounts(): Promise<boolean>;
  /** The SQL better-auth would still run on this database; empty when our migrations made all it wants. */
  missingSchema(): Promise<string>;
  close(): Promise<void>;
}

/** Users, sign-in and workspaces on a pool of their own; better-auth finds its tables through the search path. */
export async function createAccounts(options: AccountsOptions): Promise<Accounts> {
  const { baseUrl, secret, trustedOrigins = [], signUp = 'open', callLimit = defaultCallLimit } = options;
  const onError = options.onError ?? (() => undefined);
  const outages = createOutageWatch(onError);
  const pool = openPool(options, onError);
  const auth = createAuth({
    pool,
    baseUrl,
    secret,
    trustedOrigins,
    onError: outages.onError,
  });
  const { signInLimit: limit = { windowSeconds: 60, max: 10 } } = options;
  const context = await auth.$context;
  const cookies = context.authCookies;
  const readToken = createSessionCookieReader(cookies.sessionToken.name, secret);
  const { workspacesOf, ...sessions } = createSessions(pool, { readToken, callLimit });
  const origins = new Set([baseUrl, ...trustedOrigins].map((origin) => new URL(origin).origin));
  const clientAddress = options.clientAddress ?? clientAddressOf;

  return {
    ...sessions,
    handler: createAuthHandler({
      auth,
      baseUrl,
      origins,
      clientAddress,
      limits: limit ? createSignInLimits({ pool, secret, limit }) : undefined,
      checkSignUp: createSignUpCheck(pool, signUp),
      outdated: createOutdatedSignIns(pool),
      signedInUser: sessions.signedInUser,
      outages,
      onError,
    }),
    sessionHandler: createSessionHandler({ pool, readToken, cookies, workspacesOf, signUp, onError }),
    createAccount: (input) => createAccount(context, input),
    addMember: (input) => addMember(context, input),
    async accountExists(accountId) {
      const found = await pool.query('select 1 from organization where id = $1', [accountId]);
      return found.rows.length > 0;
    },
    async hasAccounts() {
      const found = await pool.query('select 1 from organization limit 1');
      return found.rows.length > 0;
    },
    missingSchema: async () => (await getMigrations(auth.options)).compileMigrations(),
    close: () => pool.end(),
  };
}

function openPool(options: AccountsOptions, onError: OnError): Pool {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    options: '-c search_path=accounts',
    max: options.poolSize ?? 5,
    application_name: 'accounts',
    statement_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  const onConnectionError = (error: Error) => onError('A database connection was lost.', error);
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => void client.on('error', onConnectionError));
  return pool;
}

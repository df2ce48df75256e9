import type { ChangeWatch } from '@service/changes';
import { openPool, queryOn, statement, type AccountWriter } from '@service/database';
import type { Jobs } from '@service/jobs';
import { createAuthHandler } from './auth-handler.ts';
import { readInvitation } from './invitations.ts';
import { endResetLink } from './mails/links.ts';
import { createMailRoutes } from './mails/mail-routes.ts';
import { createMemberMails, type MailMode, type MemberMails } from './mails/member-mails.ts';
import { defaultCallLimit, type CallLimit } from './member-admission.ts';
import { recordAcceptance } from './member-changes.ts';
import { isMember } from './members.ts';
import { clientAddressOf, type NodeHandler, type NodeRequest } from './node-http.ts';
import { createOutageWatch, type OnError } from './outage-watch.ts';
import { createOutdatedSignIns } from './outdated-sign-in.ts';
import { addMember, createAccount, type NewAccount, type NewMember } from './people.ts';
import { createSessionCookieReader } from './session-cookie.ts';
import { createSessionHandler } from './session-handler.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignInLimits, type SignInLimit } from './sign-in-limits.ts';
import { createSignUpCheck, type SignUpMode } from './sign-up.ts';
import { endTwoFactorChallenges } from './two-factor.ts';
import { createMemberStreams, type MemberStreams } from './stream/streams.ts';

export interface AccountsOptions {
  databaseUrl: string;
  /** The URL is that of a pooler in transaction mode. */
  isPooled?: boolean;
  /** The public URL of the dashboard, for example https://webinars.example.com. With https the cookies are Secure. */
  baseUrl: string;
  /** Signs the session cookies. At least 32 random characters, the same in every process. */
  secret: string;
  /** The secrets before changes of the encryption key. */
  formerSecrets?: readonly string[];
  /** Further origins of the dashboard, such as a development server. None by default. */
  trustedOrigins?: readonly string[];
  /** Allowed sign-ups. Everyone by default. */
  signUp?: SignUpMode;
  /** Mails to members. Undefined: none are sent. */
  mail?: { mode: MailMode; jobs: Jobs } | undefined;
  /** Attempts to sign in, sign up or change a password, per client address, over all processes. 10 a minute. */
  signInLimit?: SignInLimit | false;
  /** The address for the sign-in limits. Default: express's `req.ip`, else the peer of the socket. */
  clientAddress?: (req: NodeRequest) => string;
  /** Calls of the dashboard in a window, over all processes. Default: 600 for a session and 3,000 for an account each minute. */
  callLimit?: CallLimit | undefined;
  /** Connections of the pool of this module; 5. */
  poolSize?: number | undefined;
  /** Called for failures that no caller receives: lost connections, errors inside better-auth. */
  onError?: OnError;
}

export interface Accounts extends Omit<Sessions, 'workspacesOf'> {
  /** For `/api/auth/*`, on node:http or express, before any body parser. */
  handler: NodeHandler;
  /** For `GET /api/session`. */
  sessionHandler: NodeHandler;
  /** Undefined: the installation sends no mail. */
  memberMails: MemberMails | undefined;
  signUp: SignUpMode;
  /** Creates the streams of members. The caller closes them before the accounts. */
  createStreams(watch: Pick<ChangeWatch, 'subscribe' | 'changedSince'>): MemberStreams;
  /** Creates a workspace and its owner. An existing user needs their password. Throws email_in_use, validation_failed. */
  createAccount(input: NewAccount): Promise<{ accountId: string; userId: string }>;
  /**
   * Adds a user to a workspace. A new user is created; an existing user needs their password. Throws workspace_not_found,
   * already_member, email_in_use, validation_failed.
   */
  addMember(input: NewMember): Promise<{ userId: string }>;
  /** True if a user is a member of the account of the transaction. */
  isMember(tx: AccountWriter, userId: string): Promise<boolean>;
  /** True if a workspace with this id exists. */
  accountExists(accountId: string): Promise<boolean>;
  /** True if any workspace exists. A new installation has none. */
  hasAccounts(): Promise<boolean>;
  /** The SQL that better-auth misses in the schema. Empty after the migrations of this module. */
  missingSchema(): Promise<string>;
  close(): Promise<void>;
}

/** Users, sign-in and workspaces on a separate pool. better-auth finds its tables through the search path of this pool. */
export async function createAccounts(options: AccountsOptions): Promise<Accounts> {
  const { baseUrl, secret, trustedOrigins = [], signUp = 'open', callLimit = defaultCallLimit } = options;
  const onError = options.onError ?? (() => undefined);
  const outages = createOutageWatch(onError);
  const pool = openPool({
    url: options.databaseUrl,
    isPooled: options.isPooled ?? false,
    settings: { search_path: 'accounts', statement_timeout: 30_000 },
    max: options.poolSize ?? 5,
    name: 'accounts',
    onError: (error) => onError('A database connection was lost.', error),
  });
  const query = queryOn(pool);
  // The worker and the commands of operators need other parts of this module, but not better-auth, which is 380 files.
  const { createAuth } = await import('./auth.ts');
  const auth = createAuth({
    pool,
    baseUrl,
    secret,
    formerSecrets: options.formerSecrets ?? [],
    trustedOrigins,
    onInvitationAccepted: (acceptance) => recordAcceptance(query, acceptance),
    onError: outages.onError,
  });
  const { signInLimit: limit = { windowSeconds: 60, max: 10 } } = options;
  const context = await auth.$context;
  const cookies = context.authCookies;
  const readToken = createSessionCookieReader(cookies.sessionToken.name, secret);
  const { workspacesOf, ...sessions } = createSessions(query, { readToken, callLimit });
  const origins = new Set([baseUrl, ...trustedOrigins].map((origin) => new URL(origin).origin));
  const clientAddress = options.clientAddress ?? clientAddressOf;

  const limits = limit ? createSignInLimits({ query, secret, limit }) : undefined;
  const { signedInUser } = sessions;
  const mails = options.mail && createMemberMails({ ...options.mail, limits });

  return {
    ...sessions,
    memberMails: mails,
    signUp,
    handler: createAuthHandler({
      auth,
      baseUrl,
      origins,
      clientAddress,
      limits,
      checkSignUp: createSignUpCheck(query, signUp),
      outdated: createOutdatedSignIns(query),
      signedInUser,
      mails,
      mailRoutes: mails && createMailRoutes({ query, mails, context, signedInUser }),
      readInvitation: (id) => readInvitation(query, id),
      async onPasswordChanged(userId) {
        await endResetLink(query, userId);
        await endTwoFactorChallenges(query, userId);
      },
      onTwoFactorDisabled: (userId) => endTwoFactorChallenges(query, userId),
      outages,
      onError,
    }),
    sessionHandler: createSessionHandler({
      query,
      readToken,
      cookies,
      workspacesOf,
      signUp,
      mail: mails?.mode ?? null,
      onError,
    }),
    createStreams: (watch) =>
      createMemberStreams({
        query,
        watch,
        tokenOf: sessions.tokenOf,
        onFailure: (error) => onError('The streams of members could not be checked.', error),
      }),
    createAccount: (input) => createAccount(context, input),
    addMember: (input) => addMember(context, input),
    isMember,
    async accountExists(accountId) {
      const found = await query(findAccount, [accountId]);
      return found.length > 0;
    },
    async hasAccounts() {
      const found = await query(findAnyAccount, []);
      return found.length > 0;
    },
    async missingSchema() {
      const { getMigrations } = await import('better-auth/db/migration');
      return (await getMigrations(auth.options)).compileMigrations();
    },
    close: () => pool.end(),
  };
}

const findAccount = statement({ text: 'select from accounts.organization where id = $1' });

const findAnyAccount = statement({
  text: 'select from accounts.organization limit 1',
  allAccounts: 'An installation without any account is filled with an example.',
});

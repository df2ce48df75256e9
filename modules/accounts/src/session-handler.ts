// better-auth would check a session by the clock of this process, and delete valid sessions when that clock is ahead. This
// handler uses the database's time.
import { databaseTime, type Query } from '@service/database';
import { commonErrors } from '@service/errors';
import { createBuckets, sendJson } from '@service/rest';
import { errorOf } from '@service/trpc';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sendError, type NodeHandler } from './node-http.ts';
import type { MailMode } from './mails/member-mails.ts';
import type { OnError } from './outage-watch.ts';
import { cookieOf, toSetCookie, type ReadSessionToken, type SessionCookies } from './session-cookie.ts';
import { prolongSession } from './session-queries.sql.ts';
import type { SignedInUser, WorkspaceMembership } from './sessions.ts';
import type { SignUpMode } from './sign-up.ts';

const daySeconds = 86_400;

/** A session ends after this time. It is prolonged once a day. */
export const sessionSeconds = 7 * daySeconds;
export const sessionUpdateSeconds = daySeconds;

/** The answer of `GET /api/session`: the signed-in user and their workspaces. */
export interface SessionAnswer {
  user: (SignedInUser & { isEmailVerified: boolean; hasTwoFactor: boolean }) | null;
  workspaces: WorkspaceMembership[];
  /** The sign-up page shows it before the form is filled in. */
  signUp: SignUpMode;
  /** The way of mails to members. Null: the installation sends none. */
  mail: MailMode | null;
}

/** Requests of one sign-in session. A page makes one when it is loaded. */
const limit = { burst: 100, perMinute: 60 };

interface SessionHandlerOptions {
  query: Query;
  readToken: ReadSessionToken;
  cookies: SessionCookies;
  workspacesOf: (userId: string) => Promise<WorkspaceMembership[]>;
  signUp: SignUpMode;
  mail: MailMode | null;
  onError: OnError;
}

/** Serves `GET /api/session`. Once a day it also prolongs the session and its cookie. */
export function createSessionHandler(options: SessionHandlerOptions): NodeHandler {
  const perSession = createBuckets(limit);
  return (req, res) => {
    const token = options.readToken(req.headers.cookie);
    const wait = token && perSession.take(hash('sha256', token, 'base64'), databaseTime());
    if (wait) return sendError(res, commonErrors.too_many_calls({ retryAfterSeconds: wait }));
    describeSession(options, req, token)
      .then(({ answer, setCookies }) =>
        sendJson(res, 200, answer, setCookies.length > 0 ? { 'Set-Cookie': setCookies } : undefined),
      )
      .catch((error: unknown) => {
        options.onError('Reading a session failed.', error);
        sendError(res, errorOf(error));
      });
  };
}

async function describeSession(
  { query, cookies, workspacesOf, signUp, mail }: SessionHandlerOptions,
  { headers }: IncomingMessage,
  token: string | undefined,
): Promise<{ answer: SessionAnswer; setCookies: string[] }> {
  const { sessionToken, dontRememberToken } = cookies;
  const given = cookieOf(headers.cookie ?? '', sessionToken.name);
  const isRemembered = cookieOf(headers.cookie ?? '', dontRememberToken.name) === undefined;
  const values = [token, sessionSeconds, sessionUpdateSeconds, isRemembered];
  const [row] = token ? await query(prolongSession, values) : [];
  if (!row) {
    const setCookies = given === undefined ? [] : [toSetCookie(sessionToken, '', 0)];
    return { answer: { user: null, workspaces: [], signUp, mail }, setCookies };
  }
  const { is_prolonged: isProlonged, ...user } = row;
  return {
    answer: { user, workspaces: await workspacesOf(user.id), signUp, mail },
    setCookies: isProlonged ? [toSetCookie(sessionToken, given!, sessionSeconds)] : [],
  };
}

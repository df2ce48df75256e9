import { errorOf } from '@service/trpc';
import type { Auth } from 'better-auth';
import { sendError, sendJson, toHeaders, type NodeHandler } from './node-http.ts';
import type { OnError, OutageWatch } from './outage-watch.ts';
import type { SignedInUser, WorkspaceMembership } from './sessions.ts';
import type { SignUpMode } from './sign-up.ts';

/** What the dashboard asks first: who is signed in, and where they belong. */
export interface SessionAnswer {
  user: SignedInUser | null;
  workspaces: WorkspaceMembership[];
  /** The people who may sign up here. The sign-up page says so before anyone fills it in. */
  signUp: SignUpMode;
}

interface SessionHandlerOptions {
  auth: Auth;
  workspacesOf: (userId: string) => Promise<WorkspaceMembership[]>;
  signUp: SignUpMode;
  outages: OutageWatch;
  onError: OnError;
}

/** Serves `GET /api/session`. Once a day it also prolongs the session and its cookie. */
export function createSessionHandler({ outages, onError, ...options }: SessionHandlerOptions): NodeHandler {
  return (req, res) => {
    outages
      .run(() => describeSession(options, toHeaders(req)))
      .then(({ answer, setCookies }) => sendJson(res, 200, answer, setCookies))
      .catch((error: unknown) => {
        onError('Reading a session failed.', error);
        sendError(res, errorOf(error));
      });
  };
}

async function describeSession(
  { auth, workspacesOf, signUp }: Pick<SessionHandlerOptions, 'auth' | 'workspacesOf' | 'signUp'>,
  headers: Headers,
): Promise<{ answer: SessionAnswer; setCookies: string[] }> {
  const session = await auth.api.getSession({ headers, returnHeaders: true });
  const setCookies = session.headers.getSetCookie();
  if (!session.response) return { answer: { user: null, workspaces: [], signUp }, setCookies };
  const { id, name, email } = session.response.user;
  return { answer: { user: { id, name, email }, workspaces: await workspacesOf(id), signUp }, setCookies };
}

// Who is signed in and which workspaces they have. Everything here is same-origin JSON beside tRPC, because it works before there is a workspace.
import { queryOptions } from '@tanstack/react-query';
import { messageFor, RequestFailure } from './failure.ts';

export interface User {
  id: string;
  name: string;
  email: string;
}

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  role: 'owner' | 'member';
}

export interface Session {
  user: User | null;
  workspaces: Workspace[];
  /** The people who may create an account here by signing up. */
  signUp: 'open' | 'invited' | 'closed';
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => callJson<Session>('GET', '/api/session'),
  staleTime: 60_000,
});

export const signIn = (input: { email: string; password: string }) =>
  callJson<unknown>('POST', '/api/auth/sign-in/email', input);

export const signUp = (input: {
  name: string;
  email: string;
  password: string;
  invitationId: string | undefined;
}) => callJson<unknown>('POST', '/api/auth/sign-up/email', input);

/** The service signs out every other session of this person. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  callJson<unknown>('POST', '/api/auth/change-password', input);

/** Bounds of a password, those of the service. */
export const passwordLength = { min: 8, max: 128 };

export const signOut = () => callJson<unknown>('POST', '/api/auth/sign-out', {});

/** What the person invited may know of their invitation. */
export interface OwnInvitation {
  organizationId: string;
  organizationName: string;
  inviterEmail: string;
  role: Workspace['role'];
}

export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: ['invitation', invitationId],
    queryFn: () =>
      callJson<OwnInvitation>(
        'GET',
        `/api/auth/organization/get-invitation?id=${encodeURIComponent(invitationId)}`,
      ),
    retry: false,
  });

export const acceptInvitation = (invitationId: string) =>
  callJson<unknown>('POST', '/api/auth/organization/accept-invitation', { invitationId });

const lastWorkspaceKey = 'last-workspace';

export const rememberWorkspace = (workspaceId: string) => localStorage.setItem(lastWorkspaceKey, workspaceId);

/** The workspace used last on this machine if it is still theirs, else the first. */
export function preferredWorkspace({ workspaces }: Session): Workspace | undefined {
  const last = localStorage.getItem(lastWorkspaceKey);
  return workspaces.find((workspace) => workspace.id === last) ?? workspaces[0];
}

async function callJson<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  const refusal = (answer ?? {}) as { code?: string; message?: string };
  const retryAfter = response.headers.get('retry-after');
  const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  const code = refusal.code ?? 'internal_error';
  const message = refusal.message ?? `The service answered ${response.status}.`;
  throw new RequestFailure({
    code,
    message: messageFor({ code, message, retryAfterSeconds }),
    requestId: response.headers.get('x-request-id') ?? undefined,
    issues: [],
    retryAfterSeconds,
  });
}

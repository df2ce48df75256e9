// The signed-in user, their workspaces, and sign-in. These calls are not tRPC, because they work without a workspace.
import { queryOptions } from '@tanstack/react-query';
import { authMessage } from './auth-messages.ts';
import { RequestFailure } from './failure.ts';

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
  /** IANA, in which days of reports are counted. */
  timeZone: string;
}

export interface Session {
  user: User | null;
  workspaces: Workspace[];
  /** The mode of sign-up. */
  signUp: 'open' | 'invited' | 'closed';
}

export const readSession = () => request<Session>('/api/session');

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

export const signIn = (input: { email: string; password: string }) => post('sign-in/email', input);

export const signUp = (input: {
  name: string;
  email: string;
  password: string;
  invitationId: string | undefined;
}) => post('sign-up/email', input);

/** The service ends every other sign-in session of this person. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  post('change-password', input);

/** Bounds of a password, the same as in the service. */
export const passwordLength = { min: 8, max: 128 };

export const signOut = () => post('sign-out', {});

interface Invited {
  organizationId: string;
  organizationName: string;
  inviterEmail: string;
  role: string;
}

export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: ['invitation', invitationId],
    queryFn: () =>
      request<Invited>(`/api/auth/organization/get-invitation?id=${encodeURIComponent(invitationId)}`),
    retry: false,
  });

export const acceptInvitation = (invitationId: string) =>
  post('organization/accept-invitation', { invitationId });

const lastWorkspaceKey = 'last-workspace';

export const rememberWorkspace = (workspaceId: string) => localStorage.setItem(lastWorkspaceKey, workspaceId);

/** The workspace that was used last in this browser if the user still has it, else the first one. */
export function preferredWorkspace({ workspaces }: Session): Workspace | undefined {
  const last = localStorage.getItem(lastWorkspaceKey);
  return workspaces.find((workspace) => workspace.id === last) ?? workspaces[0];
}

const post = (route: string, body: object) =>
  request<unknown>(`/api/auth/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The client of better-auth would be a tenth of the sign-in page. Every refusal is thrown as a RequestFailure. */
async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init);
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw refusalOf(response, answer as { code?: string; message?: string });
  return answer as Answer;
}

function refusalOf(response: Response, { code, message }: { code?: string; message?: string }): Error {
  const retryAfter = response.headers.get('retry-after');
  return new RequestFailure({
    code: code ?? 'internal_error',
    status: response.status,
    message: authMessage(code, message) ?? `The service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    issues: [],
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
  });
}

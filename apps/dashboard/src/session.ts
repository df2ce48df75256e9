// The signed-in user, their workspaces, and sign-in. These calls are not tRPC, because they work without a workspace.
import { queryOptions } from '@tanstack/react-query';
import { createAuthClient } from 'better-auth/client';
import { organizationClient } from 'better-auth/client/plugins';
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
}

export interface Session {
  user: User | null;
  workspaces: Workspace[];
  /** The mode of sign-up. */
  signUp: 'open' | 'invited' | 'closed';
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => (await auth.$fetch(`${location.origin}/api/session`)) as unknown as Session,
  staleTime: 60_000,
});

/** better-auth's client. Every refusal is thrown as a RequestFailure. */
const auth = createAuthClient({
  plugins: [organizationClient()],
  fetchOptions: { throw: true, onError: ({ response, error }) => throwRefusal(response, error) },
});

export const signIn = (input: { email: string; password: string }) => auth.signIn.email(input);

export const signUp = (input: {
  name: string;
  email: string;
  password: string;
  invitationId: string | undefined;
}) => auth.signUp.email(input);

/** The service ends every other sign-in session of this person. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  auth.changePassword(input);

/** Bounds of a password, the same as in the service. */
export const passwordLength = { min: 8, max: 128 };

export const signOut = () => auth.signOut();

export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: ['invitation', invitationId],
    queryFn: () => auth.organization.getInvitation({ query: { id: invitationId } }),
    retry: false,
  });

export const acceptInvitation = (invitationId: string) =>
  auth.organization.acceptInvitation({ invitationId });

const lastWorkspaceKey = 'last-workspace';

export const rememberWorkspace = (workspaceId: string) => localStorage.setItem(lastWorkspaceKey, workspaceId);

/** The workspace that was used last in this browser if the user still has it, else the first one. */
export function preferredWorkspace({ workspaces }: Session): Workspace | undefined {
  const last = localStorage.getItem(lastWorkspaceKey);
  return workspaces.find((workspace) => workspace.id === last) ?? workspaces[0];
}

function throwRefusal(response: Response, refusal: { code?: string; message?: string }): never {
  const retryAfter = response.headers.get('retry-after');
  throw new RequestFailure({
    code: refusal.code ?? 'internal_error',
    status: response.status,
    message: refusal.message || `The service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    issues: [],
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
  });
}

import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

const route = getRouteApi('/w/$workspaceId');

/** The signed-in user, the workspace in the URL and the user's other workspaces. Only below /w/$workspaceId. */
export function useWorkspace() {
  return route.useRouteContext({
    select: ({ user, workspace, workspaces }) => ({ user, workspace, workspaces }),
  });
}

/** Reads the sign-in session again, after a change of the user or of a workspace. */
export function useSessionChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await router.invalidate();
  };
}

/** A link to a page of the workspace in the URL. */
export const WorkspaceLink = route.Link;

/** Opens a page of the workspace in the URL. */
export const useWorkspaceNavigate = () => route.useNavigate();

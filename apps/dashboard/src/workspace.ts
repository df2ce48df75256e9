import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/w/$workspaceId');

/** The signed-in user, the workspace in the URL and the user's other workspaces. Only below /w/$workspaceId. */
export function useWorkspace() {
  return route.useRouteContext({
    select: ({ user, workspace, workspaces }) => ({ user, workspace, workspaces }),
  });
}

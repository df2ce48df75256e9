import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/w/$workspaceId');

/** The signed-in user, the workspace in the URL and the others they have. Only below /w/$workspaceId. */
export function useWorkspace() {
  return route.useRouteContext({
    select: ({ user, workspace, workspaces }) => ({ user, workspace, workspaces }),
  });
}

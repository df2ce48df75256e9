import { getRouteApi } from '@tanstack/react-router';
import type { AutomationsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/automations');

/** The list, filters and drawer that are open, as the URL keeps them. */
export function useAutomationsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined closes the drawer or removes the filter. `isSaved`: nothing unsaved can be lost. */
  const show = (change: AutomationsSearch, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...change }), ignoreBlocker: isSaved });
  return { webinarId, search, show };
}

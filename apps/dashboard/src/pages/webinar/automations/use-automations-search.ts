import { getRouteApi } from '@tanstack/react-router';
import type { AutomationsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/automations');

/** The dialog or drawer that is open, as the URL keeps it. */
export function useAutomationsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined closes the dialog or drawer of that parameter. */
  const show = (change: AutomationsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

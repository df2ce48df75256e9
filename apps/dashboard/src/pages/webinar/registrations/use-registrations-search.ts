import { getRouteApi } from '@tanstack/react-router';
import type { RegistrationsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/registrations');

/** The state of the tab, as the URL keeps it. */
export function useRegistrationsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined closes the dialog or drawer of that parameter. */
  const show = (change: RegistrationsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

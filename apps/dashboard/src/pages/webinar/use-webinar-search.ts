import { getRouteApi } from '@tanstack/react-router';
import type { WebinarSearch } from '../search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId');

/** The webinar in the URL, and the state of its page, which is in the URL too. */
export function useWebinarSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined closes the dialog or drawer of that parameter. */
  const show = (change: WebinarSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

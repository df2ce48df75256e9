import { getRouteApi } from '@tanstack/react-router';
import type { ResultsSearch } from '../search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/results');

/** Apart from the other tabs, whose code is on every page. */
export function useResultsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: ResultsSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

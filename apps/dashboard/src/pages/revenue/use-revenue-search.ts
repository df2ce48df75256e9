import { getRouteApi } from '@tanstack/react-router';
import type { RevenueSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/revenue');

/** The state of the page, as the URL keeps it. */
export function useRevenueSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined means the default, and closes the drawer. */
  const show = (change: RevenueSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { search, show };
}

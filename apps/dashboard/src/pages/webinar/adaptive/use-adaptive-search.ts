import { getRouteApi } from '@tanstack/react-router';
import type { AdaptiveSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/adaptive');

const closed = { segment: undefined, newSegment: undefined, branch: undefined, newBranch: undefined };

/** The panel that is open, as the URL keeps it. */
export function useAdaptiveSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: AdaptiveSearch) =>
    void navigate({ search: (before) => ({ ...before, ...closed, ...change }) });
  /** `isSaved`: without a question, because nothing is lost. */
  const close = ({ isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...closed }), ignoreBlocker: isSaved });
  return { webinarId, search, show, close };
}

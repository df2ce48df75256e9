import { getRouteApi } from '@tanstack/react-router';
import type { InteractionsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/interactions');

/** The parameters that open the panel. */
const closed = { interaction: undefined, new: undefined, copy: undefined, results: undefined };

/** The state of the tab, as the URL keeps it. */
export function useInteractionsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Opens the panel, or shows another part of it. */
  const show = (change: InteractionsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...closed, ...change }) });
  /** Closes the panel. `isSaved`: without a question, because nothing is lost. */
  const close = ({ isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...closed }), ignoreBlocker: isSaved });
  const showSegment = (segment: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, segment }) });
  return { webinarId, search, show, close, showSegment };
}

import { getRouteApi } from '@tanstack/react-router';
import type { WebhooksTabSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/webhooks');

/** The state of the tab, as the URL keeps it. */
export function useWebhooksSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined closes the dialog, or removes the filter, of that parameter. */
  const show = (change: WebhooksTabSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return { webinarId, search, show };
}

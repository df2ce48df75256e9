import { getRouteApi } from '@tanstack/react-router';
import type { WebhooksSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webhooks');

/** The state of the page, as the URL keeps it. */
export function useWebhooksSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: WebhooksSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { search, show };
}

import { getRouteApi } from '@tanstack/react-router';
import type { ClientId } from './clients.ts';
import type { AiToolsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/ai-tools');

/** The first tab. */
const defaultClient = 'claude' satisfies ClientId;

/** The state of the page in the URL. */
export function useAiToolsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client: ClientId = search.client ?? defaultClient;
  return {
    search,
    client,
    /** Changes some of the state. Undefined means the default. */
    show: (change: AiToolsSearch) =>
      void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false }),
  };
}

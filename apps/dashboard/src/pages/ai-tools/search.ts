import { allScopes } from '@service/catalogue';
import { getRouteApi } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { flag, optional, word } from '../../search-params.ts';
import { clientIds, type ClientId } from './clients.ts';

export const AiToolsSearch = z.object({
  client: optional(z.enum(clientIds)),
  /** Of clients that take a key. A sign-in in the browser when left out. */
  way: optional(z.enum(['key'])),
  /** The dialog that creates a key for the client is open. */
  create: flag,
  /** The key whose first call the page waits for. */
  key: optional(z.guid()),
  /** The grant whose revoke dialog is open. */
  revoke: optional(z.guid()),
  /** Filters of the tools. */
  q: word,
  access: optional(z.enum(['read', 'write'])),
  scope: optional(z.enum(allScopes)),
});

export type AiToolsSearch = z.output<typeof AiToolsSearch>;

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

import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SourceSearch } from './search.ts';
import { sourceKinds, type SourceRef } from './source.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/$kind/$sourceId');

/** The rule or subscription in the URL, and the state of its page, which is in the URL too. */
export function useSourceSearch() {
  const { webinarId, kind: typed, sourceId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ref = useMemo<SourceRef>(() => {
    const kind = sourceKinds.find((known) => known === typed) ?? 'rule';
    return { kind, webinarId, id: sourceId };
  }, [sourceId, typed, webinarId]);
  /** Changes some parameters. Undefined closes the dialog or drawer, or removes the filter, of that parameter. */
  const show = (change: SourceSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { ref, search, show };
}

import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SourceSearch } from './search.ts';
import { useTriggers, type EventType } from '../webinar/automations/use-triggers.ts';
import { sourceKinds, type SourceRef } from './source.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/$kind/$sourceId');

/** The rule or subscription in the URL, and the state of its page, which is in the URL too. */
export function useSourceSearch() {
  const { webinarId, kind: typed, sourceId } = route.useParams();
  const { event: typedEvent, ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const ref = useMemo<SourceRef>(() => {
    const kind = sourceKinds.find((known) => known === typed) ?? 'rule';
    return { kind, webinarId, id: sourceId };
  }, [sourceId, typed, webinarId]);
  const triggers = useTriggers();
  // Until the event types are loaded, the service checks it.
  const event = triggers ? triggers.find(({ type }) => type === typedEvent)?.type : (typedEvent as EventType);
  const search = { ...rest, event };
  /** Changes some parameters. Undefined closes the dialog or drawer of that parameter. */
  const show = (change: SourceSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { ref, search, show };
}

import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { createContext } from 'react';
import { useTRPC } from '../../trpc.ts';
import type { WebinarSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId');

/** The id of the webinar in the URL. Only below its page. */
export const useWebinarId = (): string => route.useParams().webinarId;

/** The webinar in the URL. Its page and its tabs share one query. */
export function useWebinar() {
  const trpc = useTRPC();
  return useQuery(trpc.webinars.get.queryOptions({ webinarId: useWebinarId() }));
}

/** True for an archived webinar, which can only be read. */
export const useIsArchived = (): boolean => useWebinar().data?.data.status === 'archived';

/** The delivery whose drawer is open. The URL keeps it on every tab. */
export function useOpenDelivery() {
  const { delivery } = route.useSearch();
  // Without the route as its origin: `.` of the webinar's route is the first tab.
  const navigate = useNavigate();
  const open = (change: WebinarSearch['delivery']) =>
    void navigate({ to: '.', search: (before) => ({ ...before, delivery: change }) });
  return [delivery, open] as const;
}

/** Reports to the page of a webinar whether the form of the open tab has unsaved changes. */
export const ReportUnsaved = createContext<(isDirty: boolean) => void>(() => undefined);

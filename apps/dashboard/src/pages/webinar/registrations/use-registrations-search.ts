import { getRouteApi } from '@tanstack/react-router';
import { localTimeZone, zonedTimeToInstant } from '../../../zoned-time.ts';
import type { RegistrationsSearch } from './search.ts';

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/registrations');

/** The state of the tab, as the URL keeps it. */
export function useRegistrationsSearch() {
  const { webinarId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined removes a filter, and closes the dialog or drawer of that parameter. */
  const show = (change: RegistrationsSearch, { replace = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace });
  return { webinarId, search, show };
}

/** The filters in the URL as the API takes them. */
export function toFilters(search: RegistrationsSearch) {
  const { q, session, status, source, from, to, clicked, bought } = search;
  return {
    ...(q && { q }),
    ...(session && { sessionId: session }),
    ...(status && { status }),
    ...(source && { source }),
    ...(from && { registeredFrom: startOf(from) }),
    ...(to && { registeredTo: startOf(dayAfter(to)) }),
    ...(clicked && { clickedInteractionId: clicked }),
    ...(bought && { purchased: bought === 'yes' }),
  };
}

/** The filters and the order, as the API takes them. */
export const toQuery = (search: RegistrationsSearch) => ({
  ...toFilters(search),
  ...(search.order && { order: search.order }),
});

export const hasFilters = (search: RegistrationsSearch): boolean => Object.keys(toFilters(search)).length > 0;

export const noFilters: RegistrationsSearch = {
  q: undefined,
  session: undefined,
  status: undefined,
  source: undefined,
  from: undefined,
  to: undefined,
  clicked: undefined,
  bought: undefined,
};

const startOf = (day: string): string => zonedTimeToInstant(`${day}T00:00`, localTimeZone());

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

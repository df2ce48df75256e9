import { useQueries, useQuery } from '@tanstack/react-query';
import { chunksOf } from '../../../list-all.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type DeliverySummary, type Registration, type Slot } from '../../../trpc.ts';
import { localTimeZone, zonedTimeToInstant } from '../../../zoned-time.ts';
import type { RegistrationsSearch } from '../search.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useRegistrationsSearch } from '../use-tab-search.ts';

/** The registrations that match the filters in the URL, in its order. */
export function useRegistrations() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { webinarId, search } = useRegistrationsSearch();
  const input = { webinarId, ...toQuery(search) };
  return usePaged({
    queryKey: trpc.registrations.list.queryKey(input),
    fetchPage: (page, signal) => client.registrations.list.query({ ...input, ...page }, { signal }),
  });
}

/** The number of registrations that match the filters. */
export function useRegistrationCount() {
  const trpc = useTRPC();
  const { webinarId, search } = useRegistrationsSearch();
  const { data } = useQuery(
    trpc.registrations.count.queryOptions(
      { webinarId, ...toFilters(search) },
      { placeholderData: (before) => before },
    ),
  );
  return data?.data;
}

const idsPerCall = 50;

/** The deliveries by registration id, one call for each page of registrations. */
export function useDeliveries(
  webinarId: string,
  registrations: readonly Registration[],
): ReadonlyMap<string, readonly DeliverySummary[]> {
  const trpc = useTRPC();
  const ids = registrations.map(({ id }) => id);
  // Chunks begin at the oldest registration, so that a new one does not shift all chunks.
  const chunks = chunksOf(ids.toReversed(), idsPerCall);
  return useQueries({
    queries: chunks.map((registrationIds) =>
      trpc.automations.registrationDeliveries.queryOptions(
        { webinarId, registrationIds },
        { placeholderData: (before) => before },
      ),
    ),
    combine: (results) =>
      new Map(
        results
          .flatMap(({ data }) => data?.data ?? [])
          .map((entry) => [entry.registrationId, entry.deliveries]),
      ),
  });
}

/** Reads everything again that a change of registrations changes: lists, counts, places of sessions and deliveries. */
export const useRegistrationsChanged = () =>
  useInvalidation((trpc) => [trpc.registrations, trpc.sessions, trpc.automations.registrationDeliveries]);

/** The filters in the URL as the API takes them. */
function toFilters(search: RegistrationsSearch) {
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

const slotsMax = 50;

/** The sessions that can be booked now, soonest first. Read anew for each form. */
export function useSlots(webinarId: string) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.sessions.slots.queryOptions({ webinarId, limit: slotsMax }, { gcTime: 0 }),
  );
  return { data: data?.data, error, refetch };
}

/** Names a session in a form. The time of an on-demand session is another one after each read. */
export const slotValue = ({ kind, startsAt }: Slot): string => (kind === 'on_demand' ? kind : startsAt);

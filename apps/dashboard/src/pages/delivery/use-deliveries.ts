import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiCall } from '../../api-call.ts';
import { chunksOf } from '../../list-all.ts';
import { usePaged } from '../../paged.ts';
import { utcOffsetMinutes } from '../../time-ranges.ts';
import { useTRPC, useTRPCClient, type ListedDelivery, type Registrant } from '../../trpc.ts';
import type { SourceRef } from '../source/source.ts';
import { sourceApiCall } from '../source/use-source.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';
import { spanOf, type DeliverySearch } from './search.ts';

export type DeliveryFilter = ReturnType<typeof filterOf>;

function filterOf({ webinarId, source }: DeliveryScope, search: DeliverySearch) {
  const { status, event, endpoint, attendee, code } = search;
  return {
    webinarId,
    sourceId: source?.id ?? endpoint,
    status,
    // The service checks it.
    eventType: event as EventType | undefined,
    registrationId: attendee,
    responseCode: code,
    ...spanOf(search, Date.now()),
  };
}

/** The filters as input of the API. The same object while nothing changes, so that cursors stay valid. */
export function useDeliveryFilter(scope: DeliveryScope, search: DeliverySearch): DeliveryFilter {
  const text = JSON.stringify({ scope, search: { ...search, delivery: undefined } });
  return useMemo(() => {
    const parsed = JSON.parse(text) as { scope: DeliveryScope; search: DeliverySearch };
    return filterOf(parsed.scope, parsed.search);
  }, [text]);
}

/** The same list of one rule or subscription over the REST API. */
export function deliveriesCall(source: SourceRef, filter: DeliveryFilter): ApiCall {
  const { webinarId: _webinar, sourceId: _source, ...query } = filter;
  return sourceApiCall(source, 'deliveries', { query });
}

/** The deliveries that match, newest first. */
export function useDeliveryList(filter: DeliveryFilter) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return usePaged<ListedDelivery>({
    queryKey: trpc.deliveries.list.queryKey(filter),
    fetchPage: (page, signal) => client.deliveries.list.query({ ...filter, ...page }, { signal }),
  });
}

/**
 * The deliveries over time: all of the scope, whether or not the list shows them. The old bars stay until those of another time are
 * loaded.
 */
export function useDeliveryHistogram(filter: DeliveryFilter) {
  const trpc = useTRPC();
  const { webinarId, sourceId, from, to } = filter;
  const query = useQuery(
    trpc.deliveries.histogram.queryOptions(
      { webinarId, sourceId, from, to, utcOffsetMinutes },
      { placeholderData: keepPreviousData },
    ),
  );
  return { ...query, data: query.data?.data };
}

const idsPerCall = 100;

/** The registrations of deliveries by id, in one call for each hundred. */
export function useAttendees(deliveries: readonly ListedDelivery[]): Map<string, Registrant> {
  const trpc = useTRPC();
  const ids = [...new Set(deliveries.flatMap(({ registrationId }) => registrationId ?? []))];
  return useQueries({
    // Chunks begin at the oldest one, so that a new one does not shift all chunks.
    queries: chunksOf(ids.toReversed(), idsPerCall).map((registrationIds) =>
      trpc.registrations.byIds.queryOptions(
        { ids: registrationIds },
        { staleTime: 60_000, placeholderData: (before) => before },
      ),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.data ?? []).map((entry) => [entry.id, entry])),
  });
}

/** One delivery with its tries. */
export function useDelivery(delivery: { webinarId?: string | undefined; deliveryId: string }) {
  const trpc = useTRPC();
  return useQuery(trpc.automations.delivery.queryOptions(delivery));
}

interface SendAgainOptions {
  /** Called with the id of the new delivery. */
  onSuccess?: (deliveryId: string) => void;
  onError?: (error: unknown) => void;
}

/** Sends a delivery again, then reads every list of deliveries again. */
export function useSendAgain({ onSuccess, onError }: SendAgainOptions = {}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, ...mutation } = useMutation(
    trpc.automations.refire.mutationOptions({
      onSuccess: ({ data }) => {
        onSuccess?.(data.id);
        void queryClient.invalidateQueries(trpc.automations.pathFilter());
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
        void queryClient.invalidateQueries(trpc.deliveries.pathFilter());
      },
      onError,
    }),
  );
  /** Without a webinar the rule or subscription was deleted, so nothing can be sent. */
  const sendAgain = (deliveryId: string, webinarId: string | undefined) =>
    webinarId === undefined ? undefined : mutate({ webinarId, deliveryId });
  return { ...mutation, sendAgain };
}

/** The deliveries that a list shows: those of the workspace, of a webinar, or of a rule or subscription. */
export interface DeliveryScope {
  webinarId?: string | undefined;
  source?: SourceRef | undefined;
}

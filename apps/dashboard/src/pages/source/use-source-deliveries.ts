import { usePaged } from '../../paged.ts';
import { isUnfinished, watchingMs } from '../delivery/delivery-status.ts';
import type { DeliveryFilter } from './source-calls.ts';
import type { SourceRef } from './source.ts';
import { useSourceCalls } from './use-source.ts';

const restingMs = 8000;

/** The deliveries of a source, newest first. Read again soon while one of them is unfinished. */
export function useSourceDeliveries(source: SourceRef, filter: DeliveryFilter) {
  const { listDeliveries, keyOf } = useSourceCalls(source);
  return usePaged({
    queryKey: keyOf('deliveries', filter.status, filter.eventType),
    fetchPage: (page, signal) => listDeliveries({ ...filter, ...page }, signal),
    refetchMs: (items) => (items.some(({ status }) => isUnfinished(status)) ? watchingMs : restingMs),
  });
}

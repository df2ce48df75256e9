import { useMutation } from '@tanstack/react-query';
import { usePaged } from '../../paged.ts';
import type { Recovery } from '../../trpc.ts';
import type { SourceRef } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/** The recoveries of a source, newest first, and the running one. At most one runs. */
export function useRecoveries(source: SourceRef) {
  const { listRecoveries, keyOf } = useSourceCalls(source);
  const recoveries = usePaged<Recovery>({
    queryKey: keyOf('recoveries'),
    fetchPage: listRecoveries,
  });
  return { ...recoveries, running: recoveries.items?.find(({ state }) => state === 'running') };
}

/** Stops a recovery. Deliveries that it has queued are still sent. */
export function useCancelRecovery(source: SourceRef) {
  const { cancelRecovery, invalidate } = useSourceCalls(source);
  return useMutation({ mutationFn: cancelRecovery, onSettled: invalidate });
}

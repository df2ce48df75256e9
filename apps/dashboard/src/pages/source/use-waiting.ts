import { useMutation, useQuery } from '@tanstack/react-query';
import type { SourceRef } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/** The deliveries that wait for an endpoint, and the last run that sent all of them. */
export function useWaiting(source: SourceRef) {
  const { waiting, keyOf } = useSourceCalls(source);
  const { data } = useQuery({
    queryKey: keyOf('waiting'),
    queryFn: ({ signal }) => waiting(signal),
  });
  return data?.data;
}

/** Sends everything that waits for an endpoint now. */
export function useSendWaiting(source: SourceRef) {
  const { sendWaiting, invalidate } = useSourceCalls(source);
  return useMutation({ mutationFn: sendWaiting, onSettled: invalidate });
}

/** Stops that run. */
export function useStopSending(source: SourceRef) {
  const { stopSending, invalidate } = useSourceCalls(source);
  return useMutation({ mutationFn: stopSending, onSettled: invalidate });
}

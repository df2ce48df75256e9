import { useQueries, useQuery } from '@tanstack/react-query';
import { chunksOf } from '../../../list-all.ts';
import { usePaged } from '../../../paged.ts';
import type { SortOrder } from '../../../sorting.ts';
import { useTRPC, useTRPCClient, type Session, type SessionCounts } from '../../../trpc.ts';
import { useInvalidation } from '../use-invalidation.ts';

interface SessionList {
  webinarId: string;
  when: 'upcoming' | 'live' | 'past';
  /** The nearest start to now is first when left out. */
  order: SortOrder | undefined;
}

/** The sessions of one list, by start. */
export function useSessions(list: SessionList) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return usePaged({
    queryKey: trpc.sessions.listByStart.queryKey(list),
    fetchPage: (page, signal) => client.sessions.listByStart.query({ ...list, ...page }, { signal }),
  });
}

const idsPerCall = 50;

/** The counts of sessions by session id, one call for each page of sessions. */
export function useSessionCounts(
  webinarId: string,
  sessions: readonly Session[],
): ReadonlyMap<string, SessionCounts> {
  const trpc = useTRPC();
  const ids = sessions.map(({ id }) => id);
  return useQueries({
    queries: chunksOf(ids, idsPerCall).map((sessionIds) =>
      trpc.registrations.sessionCounts.queryOptions(
        { webinarId, sessionIds },
        { placeholderData: (before) => before },
      ),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.data ?? []).map((counts) => [counts.sessionId, counts])),
  });
}

/** One session with its counts. */
export function useSession(webinarId: string, sessionId: string) {
  const trpc = useTRPC();
  const session = useQuery(trpc.sessions.get.queryOptions({ webinarId, sessionId }));
  const counts = useQuery(
    trpc.registrations.sessionCounts.queryOptions({ webinarId, sessionIds: [sessionId] }),
  );
  return { session, counts: counts.data?.data[0] };
}

/** Reads sessions, webinars and registrations again after a session was changed. */
export const useSessionsChanged = () =>
  useInvalidation((trpc) => [trpc.sessions, trpc.webinars, trpc.registrations]);

import { skipToken, useQuery } from '@tanstack/react-query';
import { useTRPC, type Health } from '../../trpc.ts';

/** The limit of rules, and of subscriptions, of a webinar. */
const sourcesMax = 100;

const restingMs = 15_000;
const troubledMs = 4000;

interface WithHealth {
  data: readonly { health: Health }[];
}

const isTroubled = (list: WithHealth | undefined): boolean =>
  list?.data.some(({ health }) => health.status !== 'healthy') ?? false;

/** Read more often while an endpoint is unhealthy. */
const refetchInterval = ({ state }: { state: { data: WithHealth | undefined } }): number =>
  isTroubled(state.data) ? troubledMs : restingMs;

/** All rules of a webinar. Reads nothing without one. */
export function useRules(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.automations.rules.list.queryOptions(
      webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax },
      { refetchInterval },
    ),
  );
}

/** All subscriptions of a webinar. Reads nothing without one. */
export function useWebhooks(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhooks.list.queryOptions(webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax }, {
      refetchInterval,
    }),
  );
}

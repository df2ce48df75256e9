import { useQuery } from '@tanstack/react-query';
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

/** Read more often while a receiver is unhealthy. */
const refetchInterval = ({ state }: { state: { data: WithHealth | undefined } }): number =>
  isTroubled(state.data) ? troubledMs : restingMs;

/** All rules of a webinar. */
export function useRules(webinarId: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.automations.rules.list.queryOptions({ webinarId, limit: sourcesMax }, { refetchInterval }),
  );
}

/** All API subscriptions of a webinar. */
export function useWebhooks(webinarId: string) {
  const trpc = useTRPC();
  return useQuery(trpc.webhooks.list.queryOptions({ webinarId, limit: sourcesMax }, { refetchInterval }));
}

import { skipToken, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../trpc.ts';

/** The limit of rules, and of subscriptions, of a webinar. */
const sourcesMax = 100;

/** All rules of a webinar. Reads nothing without one. */
export function useRules(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.automations.rules.list.queryOptions(
      webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax },
    ),
  );
}

/** All subscriptions of a webinar. Reads nothing without one. */
export function useWebhooks(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhooks.list.queryOptions(webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax }),
  );
}

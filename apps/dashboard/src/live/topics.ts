import type { Topic } from '@service/catalogue';
import type { QueryKey } from '@tanstack/react-query';
import type { useTRPC } from '../trpc.ts';

type Trpc = ReturnType<typeof useTRPC>;

/** The queries whose records belong to a topic. */
const queriesOfTopics: Record<Topic, (trpc: Trpc) => readonly QueryKey[]> = {
  webinars: (trpc) => [trpc.webinars.pathKey()],
  sessions: (trpc) => [trpc.sessions.pathKey(), trpc.webinars.pathKey()],
  registrations: (trpc) => [
    trpc.registrations.pathKey(),
    trpc.responses.pathKey(),
    trpc.sessions.pathKey(),
    trpc.webinars.pathKey(),
  ],
  interactions: (trpc) => [trpc.interactions.pathKey()],
  segments: (trpc) => [trpc.segments.pathKey()],
  rules: (trpc) => [trpc.automations.pathKey(), trpc.endpoints.pathKey()],
  webhooks: (trpc) => [trpc.webhooks.pathKey(), trpc.endpoints.pathKey()],
  // Rules and subscriptions show their deliveries and the health of their endpoints.
  deliveries: (trpc) => [
    trpc.deliveries.pathKey(),
    trpc.endpoints.pathKey(),
    trpc.automations.pathKey(),
    trpc.webhooks.pathKey(),
  ],
  executions: (trpc) => [trpc.automations.pathKey()],
  // Grants are credentials too.
  keys: (trpc) => [trpc.keys.pathKey(), trpc.grants.pathKey()],
  activity: (trpc) => [trpc.activity.pathKey()],
  members: (trpc) => [trpc.accounts.pathKey()],
  // Registrations show their net, and have a filter for those who bought.
  revenue: (trpc) => [
    trpc.revenue.pathKey(),
    trpc.revenueSources.pathKey(),
    trpc.revenueWindow.pathKey(),
    trpc.registrations.pathKey(),
  ],
};

export const queriesOf = (topic: Topic, trpc: Trpc): readonly QueryKey[] => queriesOfTopics[topic](trpc);

/** The webinar in the input of a query. Undefined for a query that concerns several. */
export function webinarIdOf(queryKey: QueryKey): string | undefined {
  for (const part of queryKey) {
    const { webinarId } = ((part ?? {}) as { input?: { webinarId?: unknown } }).input ?? {};
    if (typeof webinarId === 'string') return webinarId;
  }
  return undefined;
}

import { accountsRouter } from '@service/accounts';
import { activityRouter } from '@service/activity';
import {
  createAutomationsRouter,
  createEventFollower,
  createWebhooksRouter,
  type DestinationPolicy,
} from '@service/automations';
import type { Deliveries } from '@service/deliveries';
import { keysRouter } from '@service/keys';
import { router } from '@service/trpc';
import {
  createRegistrationsRouter,
  interactionsRouter,
  sessionsRouter,
  webinarsRouter,
  type JoinLinks,
} from '@service/webinars';

interface RouterOptions {
  deliveries: Deliveries;
  joinLinks: JoinLinks;
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;
  destinationPolicy: DestinationPolicy;
}

/** Every procedure of the product. Events flow from webinars to automations, in the transaction that wrote them. */
export const createServiceRouter = ({ deliveries, joinLinks, checkUrl, destinationPolicy }: RouterOptions) =>
  router({
    accounts: accountsRouter,
    keys: keysRouter,
    webinars: webinarsRouter,
    sessions: sessionsRouter,
    registrations: createRegistrationsRouter({ follower: createEventFollower(deliveries), joinLinks }),
    interactions: interactionsRouter,
    webhooks: createWebhooksRouter({ deliveries, checkUrl }),
    automations: createAutomationsRouter({ deliveries, checkUrl, destinationPolicy }),
    activity: activityRouter,
  });

export type ServiceRouter = ReturnType<typeof createServiceRouter>;

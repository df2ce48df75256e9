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
import { createRegistrationsRouter, webinarsRouter } from '@service/webinars';

interface RouterOptions {
  deliveries: Deliveries;
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;
  destinationPolicy: DestinationPolicy;
}

/** Every procedure of the product. Events flow from webinars to automations, in the transaction that wrote them. */
export const createServiceRouter = ({ deliveries, checkUrl, destinationPolicy }: RouterOptions) =>
  router({
    accounts: accountsRouter,
    keys: keysRouter,
    webinars: webinarsRouter,
    registrations: createRegistrationsRouter({ onEvents: createEventFollower(deliveries) }),
    webhooks: createWebhooksRouter({ deliveries, checkUrl }),
    automations: createAutomationsRouter({ deliveries, checkUrl, destinationPolicy }),
    activity: activityRouter,
  });

export type ServiceRouter = ReturnType<typeof createServiceRouter>;

import { accountsRouter } from '@service/accounts';
import { activityRouter, createRetentionRouter, type RetentionSettings } from '@service/activity';
import { createAutomationsRouter, createWebhooksRouter, type DestinationPolicy } from '@service/automations';
import type { Deliveries } from '@service/deliveries';
import { keysRouter } from '@service/keys';
import { router } from '@service/trpc';
import {
  createRegistrationsRouter,
  createSessionsRouter,
  interactionsRouter,
  segmentsRouter,
  webinarsRouter,
  type Announce,
  type EventSubscriber,
  type JoinLinks,
} from '@service/webinars';

interface RouterOptions {
  deliveries: Deliveries;
  joinLinks: JoinLinks;
  subscriber: EventSubscriber;
  announce: Announce;
  checkUrl: (url: string) => Promise<{ ok: true } | { ok: false; message: string }>;
  destinationPolicy: DestinationPolicy;
  retention: RetentionSettings;
}

/** Every procedure of the product. */
export const createServiceRouter = ({
  deliveries,
  joinLinks,
  subscriber,
  announce,
  checkUrl,
  destinationPolicy,
  retention,
}: RouterOptions) =>
  router({
    accounts: accountsRouter,
    keys: keysRouter,
    webinars: webinarsRouter,
    segments: segmentsRouter,
    sessions: createSessionsRouter({ subscriber, announce }),
    registrations: createRegistrationsRouter({ subscriber, joinLinks }),
    interactions: interactionsRouter,
    webhooks: createWebhooksRouter({ deliveries, checkUrl }),
    automations: createAutomationsRouter({ deliveries, checkUrl, destinationPolicy }),
    activity: activityRouter,
    retention: createRetentionRouter(retention),
  });

export type ServiceRouter = ReturnType<typeof createServiceRouter>;

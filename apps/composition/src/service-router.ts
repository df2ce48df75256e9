import { accountsRouter } from '@service/accounts';
import { activityRouter, createRetentionRouter, type RetentionSettings } from '@service/activity';
import {
  createRegistrationsRouter,
  responsesRouter,
  type Announce,
  type EventSubscriber,
  type JoinLinks,
} from '@service/attendees';
import { createAutomationsRouter, createWebhooksRouter, type DestinationPolicy } from '@service/automations';
import type { Deliveries } from '@service/deliveries';
import { keysRouter } from '@service/keys';
import { mergeRouters, router } from '@service/trpc';
import {
  createSessionsRouter,
  interactionsRouter,
  segmentsRouter,
  webinarsRouter,
  type SessionSubscriber,
} from '@service/webinars';

interface RouterOptions {
  deliveries: Deliveries;
  joinLinks: JoinLinks;
  subscriber: EventSubscriber & SessionSubscriber;
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
    interactions: mergeRouters(interactionsRouter, responsesRouter),
    webhooks: createWebhooksRouter({ deliveries, checkUrl }),
    automations: createAutomationsRouter({ deliveries, checkUrl, destinationPolicy }),
    activity: activityRouter,
    retention: createRetentionRouter(retention),
  });

export type ServiceRouter = ReturnType<typeof createServiceRouter>;

import type { inferRouterInputs } from '@trpc/server';
import type { ServiceClient, ServiceRouter } from '../../trpc.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';
import { ruleToSource, webhookToSource, type SourceRef } from './source.ts';

type Inputs = inferRouterInputs<ServiceRouter>;
type WebhookEventType = Inputs['webhooks']['sendTest']['eventType'];

interface Page {
  limit: number;
  cursor?: string;
}

export type RecoveryRequest = Omit<Inputs['automations']['rules']['createRecovery'], 'webinarId' | 'ruleId'>;

export type SourceCalls = ReturnType<typeof ruleCalls>;

/** The API calls about a rule or a subscription, the same for both kinds. */
export const sourceCalls = (client: ServiceClient, source: SourceRef): SourceCalls =>
  source.kind === 'rule' ? ruleCalls(client, source) : webhookCalls(client, source);

function ruleCalls({ automations: { rules } }: ServiceClient, { webinarId, id: ruleId }: SourceRef) {
  const rule = { webinarId, ruleId };
  return {
    get: async () => ruleToSource((await rules.get.query(rule)).data),
    setHalted: async (halted: boolean) => ruleToSource((await rules.update.mutate({ ...rule, halted })).data),
    probe: () => rules.probe.mutate(rule),
    /** The number of waiting deliveries, and the last run that sent all of them. */
    waiting: (signal: AbortSignal) => rules.getWaiting.query(rule, { signal }),
    sendWaiting: () => rules.sendWaiting.mutate(rule),
    stopSending: () => rules.stopSending.mutate(rule),
    /** `eventType` is for subscriptions. A rule has one type. */
    sendTest: (_eventType: EventType) => rules.sendTest.mutate(rule),
    previewRecovery: (request: RecoveryRequest, signal: AbortSignal) =>
      rules.previewRecovery.mutate({ ...rule, ...request }, { signal }),
    createRecovery: (request: RecoveryRequest) => rules.createRecovery.mutate({ ...rule, ...request }),
    listRecoveries: (page: Page, signal: AbortSignal) =>
      rules.listRecoveries.query({ ...rule, ...page }, { signal }),
    cancelRecovery: (recoveryId: string) => rules.cancelRecovery.mutate({ ...rule, recoveryId }),
  };
}

function webhookCalls({ webhooks }: ServiceClient, { webinarId, id: webhookId }: SourceRef): SourceCalls {
  const webhook = { webinarId, webhookId };
  // The API checks the type: one that only rules have is refused, or matches nothing.
  const narrowed = ({ eventTypes, ...request }: RecoveryRequest) => ({
    ...webhook,
    ...request,
    ...(eventTypes && { eventTypes: eventTypes as WebhookEventType[] }),
  });
  return {
    get: async () => webhookToSource((await webhooks.get.query(webhook)).data),
    setHalted: async (halted) => webhookToSource((await webhooks.update.mutate({ ...webhook, halted })).data),
    probe: () => webhooks.probe.mutate(webhook),
    waiting: (signal) => webhooks.getWaiting.query(webhook, { signal }),
    sendWaiting: () => webhooks.sendWaiting.mutate(webhook),
    stopSending: () => webhooks.stopSending.mutate(webhook),
    sendTest: (eventType) =>
      webhooks.sendTest.mutate({ ...webhook, eventType: eventType as WebhookEventType }),
    previewRecovery: (request, signal) => webhooks.previewRecovery.mutate(narrowed(request), { signal }),
    createRecovery: (request) => webhooks.createRecovery.mutate(narrowed(request)),
    listRecoveries: (page, signal) => webhooks.listRecoveries.query({ ...webhook, ...page }, { signal }),
    cancelRecovery: (recoveryId) => webhooks.cancelRecovery.mutate({ ...webhook, recoveryId }),
  };
}

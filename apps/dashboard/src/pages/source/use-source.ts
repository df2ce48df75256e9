import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { inferRouterInputs } from '@trpc/server';
import { useMemo } from 'react';
import type { ApiCall } from '../../api-call.ts';
import { RequestFailure } from '../../failure.ts';
import { usePaged } from '../../paged.ts';
import {
  useTRPC,
  useTRPCClient,
  type Recovery,
  type Rule,
  type ServiceClient,
  type ServiceRouter,
} from '../../trpc.ts';
import type { EventType } from '../webinar/automations/use-triggers.ts';
import { ruleToSource, webhookToSource, type Source, type SourceRef } from './source.ts';

/** The calls about a source, with query keys below those of rules and subscriptions, so that a change of these invalidates both. */
export function useSourceCalls({ kind, webinarId, id }: SourceRef) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const root: QueryKey = (kind === 'rule' ? trpc.automations.rules : trpc.webhooks).pathKey();
    return {
      ...sourceCalls(client, { kind, webinarId, id }),
      keyOf: (...what: unknown[]): QueryKey => [...root, id, ...what],
      invalidate: () => queryClient.invalidateQueries({ queryKey: root }),
    };
  }, [client, id, kind, queryClient, trpc, webinarId]);
}

/** The rule or subscription. */
export function useSource(ref: SourceRef) {
  const { get, keyOf } = useSourceCalls(ref);
  return useQuery({ queryKey: keyOf('source'), queryFn: get });
}

/** The deliveries that wait for an endpoint, and the last run that sent all of them. */
export function useWaiting(source: SourceRef) {
  const { waiting, keyOf } = useSourceCalls(source);
  const { data } = useQuery({
    queryKey: keyOf('waiting'),
    queryFn: ({ signal }) => waiting(signal),
  });
  return data?.data;
}

/** The recoveries of a source, newest first, and the running one. At most one runs. */
export function useRecoveries(source: SourceRef) {
  const { listRecoveries, keyOf } = useSourceCalls(source);
  const recoveries = usePaged<Recovery>({
    queryKey: keyOf('recoveries'),
    fetchPage: listRecoveries,
  });
  return { ...recoveries, running: recoveries.items?.find(({ state }) => state === 'running') };
}

type Inputs = inferRouterInputs<ServiceRouter>;
type WebhookEventType = Inputs['webhooks']['sendTest']['eventType'];

interface Page {
  limit: number;
  cursor?: string;
}

export type RecoveryRequest = Omit<Inputs['automations']['rules']['createRecovery'], 'webinarId' | 'ruleId'>;

type SourceCalls = ReturnType<typeof ruleCalls>;

/** The API calls about a rule or a subscription, the same for both kinds. */
const sourceCalls = (client: ServiceClient, source: SourceRef): SourceCalls =>
  source.kind === 'rule' ? ruleCalls(client, source) : webhookCalls(client, source);

/** A page of its deliveries may be open while a rule loses its webhook. */
function requireSource(rule: Rule): Source {
  const source = ruleToSource(rule);
  if (source) return source;
  const message = 'This rule has no webhook any more, so it has no deliveries.';
  const code = 'rule_without_webhook';
  throw new RequestFailure({ code, status: 404, message, requestId: undefined, issues: [] });
}

function ruleCalls({ automations: { rules } }: ServiceClient, { webinarId, id: ruleId }: SourceRef) {
  const rule = { webinarId, ruleId };
  return {
    get: async () => requireSource((await rules.get.query(rule)).data),
    setHalted: async (halted: boolean) =>
      requireSource((await rules.update.mutate({ ...rule, halted })).data),
    probe: () => rules.probe.mutate(rule),
    /** The number of waiting deliveries, and the last run that sent all of them. */
    waiting: (signal: AbortSignal) => rules.getWaiting.query(rule, { signal }),
    /** Sends everything that waits now. */
    sendWaiting: () => rules.sendWaiting.mutate(rule),
    stopSending: () => rules.stopSending.mutate(rule),
    /** `eventType` is for subscriptions. A rule has one type. */
    sendTest: (_eventType: EventType) => rules.sendTest.mutate(rule),
    previewRecovery: (request: RecoveryRequest, signal: AbortSignal) =>
      rules.previewRecovery.mutate({ ...rule, ...request }, { signal }),
    createRecovery: (request: RecoveryRequest) => rules.createRecovery.mutate({ ...rule, ...request }),
    listRecoveries: (page: Page, signal: AbortSignal) =>
      rules.listRecoveries.query({ ...rule, ...page }, { signal }),
    /** Deliveries that it has queued are still sent. */
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

const ofRule = {
  deliveries: 'GET /webinars/{webinarId}/automations/{ruleId}/deliveries',
  recoveries: 'GET /webinars/{webinarId}/automations/{ruleId}/recoveries',
  recover: 'POST /webinars/{webinarId}/automations/{ruleId}/recoveries',
  sendWaiting: 'POST /webinars/{webinarId}/automations/{ruleId}/waiting/send',
  sendTest: 'POST /webinars/{webinarId}/automations/{ruleId}/test',
  rotateSecret: 'POST /webinars/{webinarId}/automations/{ruleId}/rotate-secret',
} as const;

const ofWebhook = {
  deliveries: 'GET /webinars/{webinarId}/webhooks/{webhookId}/deliveries',
  recoveries: 'GET /webinars/{webinarId}/webhooks/{webhookId}/recoveries',
  recover: 'POST /webinars/{webinarId}/webhooks/{webhookId}/recoveries',
  sendWaiting: 'POST /webinars/{webinarId}/webhooks/{webhookId}/waiting/send',
  sendTest: 'POST /webinars/{webinarId}/webhooks/{webhookId}/test',
  rotateSecret: 'POST /webinars/{webinarId}/webhooks/{webhookId}/rotate-secret',
} as const;

/** The REST call about a rule or a subscription. */
export function sourceApiCall(
  { kind, webinarId, id }: SourceRef,
  name: keyof typeof ofRule,
  sent: Pick<ApiCall, 'query' | 'body'> = {},
): ApiCall {
  return kind === 'rule'
    ? { operation: ofRule[name], params: { webinarId, ruleId: id }, ...sent }
    : { operation: ofWebhook[name], params: { webinarId, webhookId: id }, ...sent };
}

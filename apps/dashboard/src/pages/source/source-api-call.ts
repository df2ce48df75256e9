import type { ApiCall } from '../../api-call.ts';
import type { SourceRef } from './source.ts';

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

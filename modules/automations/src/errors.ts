import { defineErrors } from '@service/errors';

export const automationErrors = defineErrors({
  webhook_not_found: { kind: 'not_found', message: 'There is no such webhook subscription.' },
  rule_not_found: { kind: 'not_found', message: 'There is no such automation rule.' },
  webhook_inactive: {
    kind: 'conflict',
    message: 'The webhook subscription is switched off. Switch it on before you send anything to it.',
  },
  rule_disabled: {
    kind: 'conflict',
    message: 'The automation rule is switched off. Switch it on before you send anything with it.',
  },
  rule_without_webhook: {
    kind: 'not_found',
    message: 'The automation rule has no webhook action, so it has no endpoint, no secret and no deliveries.',
  },
  webhook_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has reached its limit of webhooks. Delete one that you no longer use.',
  },
});

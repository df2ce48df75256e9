import { defineErrors } from '@service/errors';

export const automationErrors = defineErrors({
  webhook_not_found: {
    kind: 'not_found',
    message: 'There is no such webhook subscription.',
    remedy: 'Take the id from the list of subscriptions of the same webinar.',
  },
  rule_not_found: {
    kind: 'not_found',
    message: 'There is no such automation rule.',
    remedy: 'Take the id from the list of automation rules of the same webinar.',
  },
  webhook_inactive: {
    kind: 'conflict',
    message: 'The webhook subscription is switched off. Switch it on before you send anything to it.',
    remedy: 'Switch the subscription on with `active: true`, then repeat the call.',
  },
  rule_disabled: {
    kind: 'conflict',
    message: 'The automation rule is switched off. Switch it on before you send anything with it.',
    remedy: 'Switch the rule on with `enabled: true`, then repeat the call.',
  },
  rule_without_webhook: {
    kind: 'not_found',
    message: 'The automation rule has no webhook action, so it has no endpoint, no secret and no deliveries.',
    remedy: 'Add an action of the type `webhook` to the rule, or use a rule that has one.',
  },
  webhook_limit_reached: {
    kind: 'conflict',
    message: 'The webinar has reached its limit of webhooks. Delete one that you no longer use.',
    remedy: 'Delete a subscription or rule that is no longer used, then create the new one.',
  },
});

import type { AccountReader } from '@service/database';
import { Rule } from './rule/rule.ts';
import { Subscription } from './subscription/subscription.ts';

/** What an endpoint belongs to, and in which webinar. */
export type EndpointOwner =
  | { kind: 'rule'; webinarId: string; ruleId: string; name: string }
  | { kind: 'subscription'; webinarId: string; subscriptionId: string; name: 'API subscription' };

/** The rule or the subscription that sends to an endpoint; undefined once it is removed, or when it is not yours. */
export async function findEndpointOwner(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  endpointId: string,
): Promise<EndpointOwner | undefined> {
  const rule = await em.findOne(Rule, { accountId, endpointId, subscriptionId: null });
  if (rule) return { kind: 'rule', webinarId: rule.webinarId, ruleId: rule.id, name: rule.name };
  const subscription = await em.findOne(Subscription, { accountId, endpointId });
  if (!subscription) return undefined;
  const { webinarId, id } = subscription;
  return { kind: 'subscription', webinarId, subscriptionId: id, name: 'API subscription' };
}

import type { AccountReader } from '@service/database';
import { Rule, Subscription } from './entities.ts';

/** The rule or subscription that an endpoint belongs to, with its webinar. */
export type EndpointOwner =
  | { kind: 'rule'; webinarId: string; ruleId: string; name: string }
  | { kind: 'subscription'; webinarId: string; subscriptionId: string; description: string | null };

/** Finds the owner of an endpoint of the account. Undefined if the owner was deleted or belongs to another account. */
export async function findEndpointOwner(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  endpointId: string,
): Promise<EndpointOwner | undefined> {
  const rule = await em.findOne(Rule, { accountId, endpointId, subscriptionId: null });
  if (rule) return { kind: 'rule', webinarId: rule.webinarId, ruleId: rule.id, name: rule.name };
  const subscription = await em.findOne(Subscription, { accountId, endpointId });
  if (!subscription) return undefined;
  const { webinarId, id, description } = subscription;
  return { kind: 'subscription', webinarId, subscriptionId: id, description: description ?? null };
}

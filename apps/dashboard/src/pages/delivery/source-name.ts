import type { Delivery } from '../../trpc.ts';
import { subscriptionName } from '../source/source.ts';

/** The name of the rule or subscription of a delivery: the present one, else the one at the time of the event. */
export function sourceNameOf({ source, sourceName, url }: Delivery): string {
  if (source?.kind === 'webhook') return subscriptionName({ description: source.name, url: url ?? '' });
  return source?.name ?? sourceName;
}

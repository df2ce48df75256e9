import type { BenchWorld } from '../bench/bench-world.ts';
import type { ChaosWorld } from './world.ts';

type Webinar = BenchWorld['webinars'][number];

export interface Subscription {
  id: string;
  secret: string;
  url: string;
  /** Of the subscription, below /api/v1. */
  path: string;
}

/** A subscription to every registration of a webinar; `path` is what the receiver is to do (receiver-process.ts). */
export async function subscribe(world: ChaosWorld, webinar: Webinar, path: string): Promise<Subscription> {
  const url = `${world.receiver.origins[0]}${path}`;
  const collection = `/webinars/${webinar.id}/webhooks`;
  const made = await world.call<{ id: string; secret: string }>(`POST ${collection}`, {
    url,
    eventTypes: ['registered'],
  });
  return { ...made, url, path: `${collection}/${made.id}` };
}

/** One for each webinar, to a receiver that answers at once. */
export async function subscribeHealthy(world: ChaosWorld, webinars: readonly Webinar[]): Promise<void> {
  for (const [index, webinar] of webinars.entries()) await subscribe(world, webinar, `/ok/${index}`);
}

import type { BenchWorld } from '../bench/bench-world.ts';
import type { ChaosWorld } from './world.ts';

type Webinar = BenchWorld['webinars'][number];

interface Subscription {
  id: string;
  secret: string;
}

/** A subscription to every registration of a webinar; `path` is what the receiver is to do (receiver-main.ts). */
export const subscribe = (world: ChaosWorld, webinar: Webinar, path: string): Promise<Subscription> =>
  world.call<Subscription>(`POST /webinars/${webinar.id}/webhooks`, {
    url: `${world.receiver.origins[0]}${path}`,
    eventTypes: ['registered'],
  });

/** One for each webinar, to a receiver that answers at once. */
export async function subscribeHealthy(world: ChaosWorld, webinars: readonly Webinar[]): Promise<void> {
  for (const [index, webinar] of webinars.entries()) await subscribe(world, webinar, `/ok/${index}`);
}

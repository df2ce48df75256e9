// The addresses and secrets by which payment providers send revenue events to an account.
import { randomBytes } from 'node:crypto';
import type { Dashboard } from '../../demo-dashboard.ts';

export interface RevenueDoor {
  /** Below the base URL of the service. */
  path: string;
  secret: string;
}

export interface RevenueDoors {
  generic: RevenueDoor;
  stripe: RevenueDoor;
}

/** Ends the use of the sources when it is disposed. */
export interface OpenedRevenue extends AsyncDisposable {
  doors: RevenueDoors | undefined;
  /** Why there are no doors. */
  reason?: string;
}

export const openedRevenue = (doors: RevenueDoors, close?: () => Promise<void>): OpenedRevenue => ({
  doors,
  [Symbol.asyncDispose]: async () => close?.(),
});

export const noRevenue = (reason: string): OpenedRevenue => ({
  doors: undefined,
  reason,
  [Symbol.asyncDispose]: async () => undefined,
});

/** As the page of a payment provider shows one. */
export const createStripeSecret = (): string => `whsec_${randomBytes(24).toString('hex')}`;

export const pathOfUrl = (url: string): string => new URL(url).pathname;

/** Makes both secrets as Settings > Revenue does, and removes them afterwards. A secret of another shop is never replaced. */
export async function openRevenueBySignIn(dashboard: Dashboard): Promise<OpenedRevenue> {
  const sources = new Map((await dashboard.revenueSources()).map((source) => [source.provider, source]));
  const [generic, stripe] = [sources.get('generic'), sources.get('stripe')];
  if (!generic || !stripe) return noRevenue('the service has no generic and no Stripe source.');
  if (generic.secretLast4) return noRevenue('the workspace has a generic secret already.');
  if (stripe.secretLast4) return noRevenue('the workspace has a Stripe secret already.');
  const secret = createStripeSecret();
  await dashboard.setRevenueSecret('stripe', secret);
  const doors = {
    generic: { path: pathOfUrl(generic.url), secret: await dashboard.createGenericSecret() },
    stripe: { path: pathOfUrl(stripe.url), secret },
  };
  return openedRevenue(doors, async () => {
    await dashboard.removeRevenueSecret('generic');
    await dashboard.removeRevenueSecret('stripe');
  });
}

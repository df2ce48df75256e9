// Shared by the tests of the pages of revenue: a shop that reports its payments, and page selectors.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { DashboardClient } from '../support/dashboard.ts';
import { payloadOf, signGeneric } from '../support/shop.ts';

/** A shop that sends signed events to the generic source. */
export interface Shop {
  url: string;
  secret: string;
}

export async function openShop(owner: DashboardClient): Promise<Shop> {
  const { secret } = await owner.mutate('revenueSources.createSecret', {});
  const sources = (await owner.query('revenueSources.list')) as { provider: string; url: string }[];
  return { secret, url: sources.find(({ provider }) => provider === 'generic')!.url };
}

export async function post({ url, secret }: Shop, event: Record<string, unknown>): Promise<Response> {
  const body = JSON.stringify(payloadOf(event));
  return fetch(url, { method: 'POST', headers: { 'X-Service-Signature': signGeneric(secret, body) }, body });
}

export async function sell(shop: Shop, event: Record<string, unknown>): Promise<void> {
  expect((await post(shop, event)).status).toBe(202);
}

export const drawer = (page: Page) => page.getByRole('dialog', { name: 'Revenue event' });
/** A sentence of the explanation. The JSON of the event contains it too. */
export const sentence = (page: Page, text: string) => drawer(page).getByText(text, { exact: true });
export const card = (page: Page, currency: string) => page.getByRole('listitem', { name: currency });
export const rows = (page: Page) => page.getByRole('region', { name: 'Revenue events' }).getByRole('row');

export async function openRevenue(page: Page, tab?: string): Promise<void> {
  await page.getByRole('link', { name: 'Revenue', exact: true }).click();
  if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
}

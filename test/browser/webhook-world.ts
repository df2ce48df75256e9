// Shared by the tests of delivery pages: a webinar with a webhook, its receiver with a changeable status, and page selectors.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { callRest, type TestApi, type TestWorld } from '../support/api.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

/** Answers with the current value of `status`. */
export async function startMoodyReceiver(status: number): Promise<Receiver & { status: number }> {
  const mood = { status };
  const receiver = await startReceiver((_request, response) =>
    response.writeHead(mood.status).end(mood.status === 200 ? 'thank you' : 'not today'),
  );
  return Object.assign(mood, receiver);
}

export async function createRule(service: TestApi, { key, webinar }: TestWorld, url: string): Promise<void> {
  const body = { name: 'To the CRM', trigger: { type: 'registered' }, action: { type: 'webhook', url } };
  const { status } = await callRest(service, `POST /webinars/${webinar.id}/automations`, { key, body });
  expect(status).toBe(201);
}

export async function createWebhook(
  service: TestApi,
  { key, webinar }: TestWorld,
  url: string,
): Promise<void> {
  const body = { url, eventTypes: ['registered', 'joined'] };
  const { status } = await callRest(service, `POST /webinars/${webinar.id}/webhooks`, { key, body });
  expect(status).toBe(201);
}

export async function register(
  service: TestApi,
  { key, webinar }: TestWorld,
  email: string,
  name = 'Ada Lovelace',
): Promise<void> {
  const body = { name, email, sessionTime: webinar.sessionTime };
  const { status } = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect(status).toBe(201);
}

/** Registers "Attendee 0" and so on, in this order. */
export async function registerMany(
  service: TestApi,
  { key, webinar }: TestWorld,
  count: number,
): Promise<void> {
  const registrations = Array.from({ length: count }, (_unused, number) => ({
    name: `Attendee ${number}`,
    email: `attendee-${number}@example.com`,
    sessionTime: webinar.sessionTime,
  }));
  const path = `POST /webinars/${webinar.id}/registrations/bulk` as const;
  const { status } = await callRest(service, path, { key, body: { registrations } });
  expect(status).toBe(200);
}

/** The Automations tab of the only webinar. */
export const openAutomations = (page: Page): Promise<void> => openTab(page, 'Automations');

/** The Webhooks tab of the only webinar. */
export const openWebhooks = (page: Page): Promise<void> => openTab(page, 'Webhooks');

/** A tab of the only webinar. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByText('Launch').first().click();
  await page.getByRole('tab', { name }).click();
}

/** The name of a subscription without a description. */
export const nameOf = (url: string): string => url.replace('http://', '').replace(/\/$/, '');

export const deliveries = (page: Page) => page.getByRole('region', { name: 'Deliveries', exact: true });

/** A rule in the list of rules. */
export const ruleItem = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: name });

/** The head of the table is a row too. */
export const seeDeliveries = (page: Page, count: number) =>
  expect
    .poll(() => deliveries(page).getByRole('table').getByRole('row').count(), { timeout: 20_000 })
    .toBe(count + 1);

export async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

export const bodiesOf = ({ received }: Receiver) =>
  received.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

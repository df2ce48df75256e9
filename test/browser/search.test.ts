import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { callRest } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { signIn } from '../support/sign-in.ts';
import { createRule } from './webhook-world.ts';

test('Ctrl-K finds a person by a few letters and a webinar by its id, without the mouse, with one call for each pause', async ({
  service,
  world,
  page,
}) => {
  await register(world, { name: 'Grace Hopper', email: 'grace@navy.example' });
  await signIn(page, service, world);
  await page.getByRole('link', { name: 'Launch' }).waitFor();
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('registrations.find')) calls.push(request.url());
  });

  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).evaluate(typeWithoutPause, 'hop');
  const hit = page.getByRole('button', { name: /Grace Hopper/ });
  await hit.and(page.locator('[data-selected]')).waitFor();
  expect(calls).toHaveLength(1);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/webinars/${world.webinar.id}/registrations?*`);
  // The panel takes the focus when it is there.
  await page
    .getByRole('dialog', { name: 'Registration' })
    .getByRole('button', { name: 'Close' })
    .and(page.locator(':focus'))
    .waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill(world.webinar.id);
  await page.getByRole('button', { name: /^Launch ?Published$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/webinars/${world.webinar.id}/details`);

  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('hop');
  await page.getByRole('button', { name: /grace@navy.example · all webinars/ }).click();
  await page.waitForURL('**/people/*');
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('zzzz');
  await page.getByText('Nothing matches').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'detached' });
});

test('a pasted id of a registration, a delivery, a request or a key opens it, and a pasted secret is not sent', async ({
  service,
  world,
  page,
}) => {
  const { accountId, key, webinar } = world;
  await createRule(service, world, 'http://127.0.0.1:9/hook');
  const registered = await register(world, { name: 'Grace Hopper', email: 'grace@navy.example' });
  const at = `GET /webinars/${webinar.id}/automations`;
  const [rule] = (await callRest(service, at, { key })).json.data;
  const [delivery] = (await callRest(service, `${at}/${rule.id}/deliveries`, { key })).json.data;
  const requestId = registered.headers.get('x-request-id')!;
  await service.api.service.activity.flush();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(decodeURIComponent(request.url())));
  await signIn(page, service, world);
  const paste = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).fill(text);
  };
  const open = async (id: string, found: RegExp, drawer: string) => {
    await paste(id);
    await page.getByRole('button', { name: found }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: drawer }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: drawer }).waitFor({ state: 'detached' });
  };
  await open(registered.json.data.id, /^Grace Hopper/, 'Registration');
  await open(delivery.id, /^Delivery of a rule/, 'Webhook delivery');
  await open(requestId, /^POST .*registrations/, 'API call');
  await paste(key.slice(-4));
  await page.getByRole('button', { name: key.slice(-4) }).click();
  await page.waitForURL(`**/w/${accountId}/settings/keys`);

  for (const secret of [key, `whsec_${'a+/'.repeat(14)}b=`, registered.json.data.joinUrl]) {
    await paste(secret);
    await page.getByText(/^(1 result|0 results)$/).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Search' }).waitFor({ state: 'detached' });
    expect(sent.filter((url) => url.includes(secret))).toEqual([]);
  }
});

/** Types in one task of the page: on a busy machine there would be pauses between pressed keys. */
function typeWithoutPause(node: unknown, text: string): void {
  const input = node as { value: string; dispatchEvent(event: Event): void };
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!;
  for (let length = 1; length <= text.length; length += 1) {
    set!.call(input, text.slice(0, length));
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

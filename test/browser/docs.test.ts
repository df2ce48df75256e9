import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { callRest } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';

test('an error leads to its code; the API reference opens folded, finds operations and sends no request to another host', async ({
  service,
  page,
}) => {
  const foreign: string[] = [];
  const violations: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== service.baseUrl) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text());
  });
  const { json } = await callRest(service, 'GET /webinars');
  await page.goto(json.docUrl);
  await isInView(page, 'invalid_api_key');
  await page.goto(`${service.baseUrl}/api/v1/docs`);
  await page.getByText('List webinars').first().waitFor();
  // Only the first group is open, so this operation is shown by the search alone.
  const found = page.getByText('Send a delivery of a subscription again').first();
  expect(await found.count()).toBe(0);
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click();
  await page.keyboard.type('redeliver');
  await found.waitFor();
  // From part to part as a reader would go: what is loaded late is loaded too.
  for (const [place, heading] of [
    ['tag/registrations/POST/webinars/{webinarId}/registrations', 'Register an attendee'],
    ['tag/events/webhook/POST/registered', 'Registered'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${service.baseUrl}/api/v1/docs#${place}`);
    await isInView(page, heading);
  }
  expect(foreign).toEqual([]);
  expect(violations).toEqual([]);
}, 180_000);

// Runs in the page, so it is text. It reads everything that another page of the origin could read.
const readStorage = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      databases.push(await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, window.name, databases]);
})()`;

test('a key that was typed into the reference is not stored where another page of its origin can read it', async ({
  service,
  page,
}) => {
  const secret = 'svc_live_0123456789abcdefghijklmnopqrstuv';
  await page.clock.install();
  // A version that kept keys left them behind like this.
  await page.goto(`${service.baseUrl}/healthz`);
  await page.evaluate(
    (key) => localStorage.setItem('scalar-reference-auth-webinar-service-api', key),
    secret,
  );
  await page.goto(`${service.baseUrl}/api/v1/docs`);
  const field = page.getByPlaceholder('Token').first();
  await field.click();
  await page.keyboard.type(secret);
  await page
    .getByText(secret)
    .or(page.locator(`input[value="${secret}"]`))
    .first()
    .waitFor();
  // Scalar writes what it keeps half a second after the last change, or when the page is left.
  await page.clock.runFor(2000);
  const kept = (): Promise<string> => page.evaluate<string>(readStorage);
  expect(await kept()).not.toContain(secret.slice(0, 20));
  await page.reload();
  await page.getByPlaceholder('Token').first().waitFor();
  expect(await kept()).not.toContain(secret.slice(0, 20));
  expect(await page.content()).not.toContain(secret);
});

async function isInView(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name, exact: true }).first();
  const { height } = page.viewportSize()!;
  await eventually(`"${name}" to be in view`, async () => {
    const box = await heading.boundingBox();
    return box && box.y > 0 && box.y < height;
  });
}

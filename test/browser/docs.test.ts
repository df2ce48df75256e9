import { expect, test } from 'vitest';
import { callRest, testApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';

test('the API reference renders every operation and asks no other host for anything', async () => {
  await using service = await testApi();
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const foreign: string[] = [];
  const violations: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== service.baseUrl) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) violations.push(message.text());
  });
  await page.goto(`${service.baseUrl}/api/v1/docs`);
  for (const summary of ['List webinars', 'Register an attendee', 'Subscribe to events', 'Get a delivery']) {
    await page.getByText(summary).first().waitFor();
  }
  // To the end and back: what a reader would load by scrolling is loaded too.
  await page.keyboard.press('End');
  await page.getByRole('heading', { name: 'Get a delivery' }).waitFor();
  expect(foreign).toEqual([]);
  expect(violations).toEqual([]);
});

test('the docUrl of an error names a heading of the API reference', async () => {
  await using service = await testApi();
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const { json } = await callRest(service, 'GET /webinars');
  await page.goto(json.docUrl);
  const heading = page.locator(`[id="${new URL(json.docUrl).hash.slice(1)}"]`).first();
  await heading.waitFor();
  expect(await heading.innerText()).toContain('invalid_api_key');
});

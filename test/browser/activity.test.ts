import { createId } from '@service/database';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createKey, toRecordedCall, type TestKey } from '../activity/activity-world.ts';
import { type TestApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { copyBy } from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Calls of a key at the given ages, the first of them a failure, the second over MCP. */
async function recordCalls(service: TestApi, accountId: string, key: TestKey, agesMs: number[]) {
  const { activity } = service.api.service;
  for (const [index, age] of agesMs.entries()) {
    const call = {
      at: new Date(Date.now() - age),
      key,
      status: index === 0 ? 422 : 200,
      surface: index === 1 ? ('mcp' as const) : ('rest' as const),
      requestId: `${key.label.toLowerCase()}-${index}`,
      refusal:
        index === 0
          ? { code: 'validation_failed', fields: ['email'], messages: ['Must be an e-mail address.'] }
          : undefined,
    };
    // A long path makes the table wider than its least width.
    const path = call.surface === 'rest' && { path: '/api/v1/webinars/spring-launch/registrations/results' };
    activity.record({ ...toRecordedCall(call, accountId), ...path, replayed: index === 2 });
  }
  await activity.flush();
}

const openActivity = (page: Page) => page.getByRole('link', { name: 'Activity' }).first().click();

const rows = (page: Page) => page.getByRole('region', { name: 'API activity' }).getByRole('row');

async function choose(page: Page, filter: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The head of the table is a row too. */
const seeRows = (page: Page, count: number) =>
  expect.poll(() => rows(page).count(), { timeout: 20_000 }).toBe(count + 1);

const isTableReachable = `(() => {
  const region = document.querySelector('[role="region"][aria-label="API activity"]');
  return region.scrollWidth <= region.clientWidth || getComputedStyle(region).overflowX === 'auto';
})()`;

test('filters change the list and the URL, a reload keeps them, and one click clears them', async ({
  service,
  account,
  page,
}) => {
  // The key of these calls does not exist any more: only their rows know it.
  const [revoked, other] = [createKey('Revoked'), createKey('Other')];
  await recordCalls(service, account.accountId, revoked, [5 * minute, 6 * minute, 7 * minute]);
  await recordCalls(service, account.accountId, other, [8 * minute, 3 * hour, 4 * hour, 50 * hour]);
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await signIn(page, service, account);
  await openActivity(page);
  await seeRows(page, 6);
  expect(new URL(page.url()).search).toBe('');
  // The table scrolls where it is wider than its card.
  for (let width = 1280; width > 1100; width -= 20) {
    await page.setViewportSize({ width, height: 720 });
    await expect.poll(() => page.evaluate<boolean>(isTableReachable), { message: `${width} px` }).toBe(true);
  }

  await choose(page, 'Key or client', 'Revoked');
  await seeRows(page, 3);
  expect(new URL(page.url()).searchParams.get('key')).toBe(revoked.id);
  expect(await rows(page).nth(1).innerText()).toContain('Revoked');
  await page.reload();
  await seeRows(page, 3);
  await expect.poll(() => page.getByRole('combobox', { name: 'Key or client' }).inputValue()).toBe('Revoked');

  await choose(page, 'Status', 'Failure');
  await seeRows(page, 1);
  await choose(page, 'Key or client', 'All');
  await seeRows(page, 2);
  await choose(page, 'Surface', 'MCP');
  await page.getByRole('heading', { name: 'No calls match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await seeRows(page, 6);
  expect(new URL(page.url()).search).toBe('');

  await choose(page, 'Time range', 'Last 7 days');
  await seeRows(page, 7);
  await choose(page, 'Time range', 'From … to …');
  const halfAnHourAgo = await page.evaluate<string>(
    'new Date(Date.now() - 1_800_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)',
  );
  await page.getByLabel('To', { exact: true }).fill(halfAnHourAgo);
  await page.keyboard.press('Enter');
  await seeRows(page, 3);
  await choose(page, 'Time range', 'Last hour');
  await seeRows(page, 4);
  expect(new URL(page.url()).searchParams.get('range')).toBe('last_hour');
  await page.getByRole('textbox', { name: 'Request id' }).fill('revoked-2');
  await page.keyboard.press('Enter');
  await seeRows(page, 1);
  await rows(page).nth(1).getByText('Replay').waitFor();

  // A phone shows two filters, and all of them when one of the others has a value.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Fewer filters' }).click();
  const caller = page.getByRole('combobox', { name: 'Key or client' });
  await caller.waitFor({ state: 'hidden' });
  expect(await page.getByRole('combobox', { name: 'Time range' }).isVisible()).toBe(true);
  await page.reload();
  await caller.waitFor();
  expect(failures).toEqual([]);
});

test('calls of an AI client are found by its name beside the keys, and open with who connected it and a request id that can be copied', async ({
  service,
  account,
  browser,
}) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const createdBy = { kind: 'member', id: account.userId, name: 'Ada Lovelace' } as const;
  const grant = { ...createKey('Claude'), kind: 'grant', createdBy } as const;
  await recordCalls(service, account.accountId, createKey('CRM'), [5 * minute, 6 * minute]);
  await recordCalls(service, account.accountId, grant, [7 * minute, 8 * minute]);
  await signIn(page, service, account);
  await openActivity(page);
  await seeRows(page, 4);
  await page.getByRole('combobox', { name: 'Key or client' }).click();
  const options = page.getByRole('listbox', { name: 'Key or client' });
  for (const group of ['API keys', 'AI clients']) await options.getByText(group, { exact: true }).waitFor();
  await page.getByRole('option', { name: 'Claude', exact: true }).click();
  await seeRows(page, 2);
  const docs = page.waitForEvent('popup');
  await rows(page).nth(1).getByRole('link', { name: 'validation_failed' }).click();
  await (await docs).close();
  await rows(page).nth(1).getByRole('button').click();
  const drawer = page.getByRole('dialog', { name: 'API call' });
  await drawer.getByText('Ada Lovelace').waitFor();
  expect(await copyBy(page, drawer.getByRole('button', { name: 'Copy request id' }))).toBe('claude-0');
  expect(await drawer.innerText()).toMatch(/422\s+Failure/);
  const facts = await drawer.innerText();
  for (const fact of ['AI client', 'Claude', 'Connected by', 'Grant id', 'Must be an e-mail address.'])
    expect(facts).toContain(fact);
  expect(facts).not.toContain('Key created by');
});

test('bars of the histogram that are selected by keyboard, click or dragging limit the time, and the limit can be removed', async ({
  service,
  account,
  page,
}) => {
  await recordCalls(service, account.accountId, createKey('Key'), [2 * hour, 2 * hour, 5 * hour]);
  await signIn(page, service, account);
  await openActivity(page);
  await seeRows(page, 3);
  const chart = page.getByRole('group', { name: /Calls over time/ });
  await chart.getByRole('button', { name: '1 succeeded, 1 failed' }).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await seeRows(page, 2);
  const { searchParams } = new URL(page.url());
  expect(Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)).toBe(30 * minute);
  await page.getByRole('button', { name: 'Back to last 24 hours' }).click();
  await seeRows(page, 3);
  const [early, late] = ['1 succeeded, 0 failed', '1 succeeded, 1 failed'].map((name) =>
    chart.getByRole('button', { name }),
  );
  await early!.click();
  await seeRows(page, 1);
  await page.getByRole('button', { name: 'Back to last 24 hours' }).click();
  await seeRows(page, 3);
  await late!.hover();
  await page.mouse.down();
  await early!.hover();
  await page.mouse.up();
  await page.getByRole('button', { name: 'Back to last 24 hours' }).waitFor();
  const dragged = new URL(page.url()).searchParams;
  expect(Date.parse(dragged.get('to')!) - Date.parse(dragged.get('from')!)).toBe(3 * hour + 15 * minute);
  await seeRows(page, 3);
});

test('a workspace without calls shows an example, and then its first call', async ({
  service,
  account,
  page,
}) => {
  await signIn(page, service, account);
  await openActivity(page);
  await page.getByRole('heading', { name: 'No API calls yet' }).waitFor();
  expect(await page.getByLabel('A first call').innerText()).toContain(
    `curl ${service.baseUrl}/api/v1/webinars`,
  );
  await recordCalls(service, account.accountId, { id: createId(), label: 'First' }, [0]);
  await seeRows(page, 1);
  // Beside the edge of the chart, the only bar is easily overlooked.
  const chart = page.getByRole('region', { name: 'Calls over time' });
  await chart.getByText(/^1 call, all at \d+ \w+, \d\d:\d\d – /).waitFor();
});

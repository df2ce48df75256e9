// The registration page, its confirmation and the page of the join link, as a visitor uses them.
import type { WebinarPage } from '@service/attendees';
import { onceAt } from '@service/webinars';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { tabTo, typeInto } from '../support/keyboard.ts';
import { startReceiver } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const ofNow = { now: () => new Date(), advance: () => undefined, setTo: () => undefined };

const consentText = 'Northwind may write to me about its products.';
const fields = [
  { key: 'company', label: 'Company', type: 'text', required: true },
  { key: 'size', label: 'Team size', type: 'select', required: true, options: ['1 to 10', 'More'] },
];

/** 17:00 in Berlin on the day after tomorrow. */
function inBerlin(): string {
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const offset = Number(clock.format(new Date(`${day}T12:00:00Z`))) - 12;
  return new Date(Date.parse(`${day}T17:00:00Z`) - offset * 3_600_000).toISOString();
}

/** "5:00 PM" without the narrow space of the browser. */
const clockIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
    .format(new Date(iso))
    .replace(/\s/g, ' ');

const textOf = async (page: Page): Promise<string> =>
  (await page.locator('main').innerText()).replaceAll(/[\u2009\u202F\u00A0]/g, ' ');

const slugOf = async (world: World): Promise<string> => (await world.get('')).slug as string;

test('a visitor registers with the keyboard, gets the link once, moves to another session and cancels', async ({
  service,
  browser,
}) => {
  const sessionTime = inBerlin();
  const world = await createWorld({
    beside: { service, clock: ofNow },
    sessionTime,
    webinar: {
      title: 'Launch of the spring collection',
      timezone: 'Europe/Berlin',
      schedule: {
        timezoneMode: 'viewer',
        recurrences: [{ frequency: 'daily', time: '17:00', startDate: sessionTime.slice(0, 10) }],
      },
      registrationForm: { fields, consentText },
      registrationPage: {
        presenters: [{ name: 'Grace Hopper', title: 'Engineering' }],
        takeaways: ['Read a forecast'],
      },
    },
  });
  const page = await browser.newPage({ timezoneId: 'Pacific/Auckland', locale: 'en-US' });
  const address = `${service.baseUrl}/w/${await slugOf(world)}`;
  await page.goto(`${address}?utm_source=letter&gclid=g-1`);
  expect(await page.title()).toBe('Launch of the spring collection');
  const offered = await textOf(page);
  expect(offered).toContain('New Zealand');
  expect(offered).toContain(clockIn(sessionTime, 'Pacific/Auckland').replace(/ [AP]M/, ''));
  expect(offered).toMatch(/\w+ 5:00 PM in Berlin/);
  for (const text of ['Grace Hopper', 'Read a forecast']) expect(offered).toContain(text);
  await page.getByRole('button', { name: 'Change time zone' }).click();
  await page.getByLabel('Time zone').selectOption({ label: 'Kathmandu (GMT+5:45)' });
  expect(await textOf(page)).toContain(clockIn(sessionTime, 'Asia/Kathmandu').replace(/ [AP]M/, ''));

  const submit = page.getByRole('button', { name: 'Register' });
  await tabTo(page, submit);
  await page.keyboard.press('Enter');
  const invalid = page.locator('[aria-invalid=true]');
  expect(await invalid.count()).toBe(4);
  expect(await page.evaluate('document.activeElement.name')).toBe('name');
  expect(await page.getByRole('checkbox').isChecked()).toBe(false);
  await typeInto(page, page.getByLabel('Name'), 'Ada Lovelace');
  await typeInto(page, page.getByLabel('E-mail'), 'ada@invalid');
  await typeInto(page, page.getByLabel('Company'), 'Analytical Engines');
  await tabTo(page, page.getByLabel('Team size'));
  await page.keyboard.press('M');
  await tabTo(page, submit);
  await page.keyboard.press('Enter');
  await page.getByText('Enter an e-mail address such as').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('email');
  await typeInto(page, page.getByLabel('E-mail'), 'ada@example.com');
  await tabTo(page, page.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await tabTo(page, submit);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You are registered, Ada' }).waitFor();
  const link = await page.getByLabel('Your personal link').inputValue();
  const [stored] = await world.get('/registrations');
  expect(stored).toMatchObject({
    joinUrl: link,
    sessionTime,
    timezone: 'Pacific/Auckland',
    customFields: { company: 'Analytical Engines', size: 'More' },
    consent: { given: true, text: consentText },
    utm: { source: 'letter' },
    metadata: { gclid: 'g-1' },
  });
  const file = await page.getByRole('link', { name: '.ics' }).getAttribute('href');
  expect(await (await fetch(file!)).text()).toContain('BEGIN:VEVENT');

  await page.goto(address);
  await page.getByLabel('Name').fill('Somebody else');
  await page.getByLabel('E-mail').fill('ADA@example.com');
  await page.getByLabel('Company').fill('x');
  await page.getByLabel('Team size').selectOption('More');
  await submit.click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  expect(await page.content()).not.toContain(link.split('/').at(-1));

  await page.goto(link);
  await page.getByRole('heading', { name: 'Your place is saved, Ada' }).waitFor();
  await page.getByRole('button', { name: 'Change the time' }).click();
  await page.getByRole('radio').nth(1).check();
  await page.getByRole('button', { name: 'Move my registration' }).click();
  await page.getByText('Your registration was moved').waitFor();
  const [moved] = await world.get('/registrations');
  expect(Date.parse(moved.sessionTime)).toBeGreaterThan(Date.parse(sessionTime));
  await page.getByRole('button', { name: 'Cancel my registration' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel my registration' }).click();
  await page.getByRole('button', { name: 'Cancel registration' }).click();
  await page.getByRole('heading', { name: 'Your registration is cancelled' }).waitFor();
  expect((await world.get('/registrations'))[0].status).toBe('cancelled');
});

test('visitors of three zones read the times before and after a change of clocks as their own clocks show them', async ({
  service,
  browser,
}) => {
  const timezone = 'America/New_York';
  const change = nextChangeOf(timezone);
  const recurrences = [-1, 1].map((days) => onceAt(new Date(change + days * 86_400_000)));
  const schedule = { timezoneMode: 'viewer', recurrences };
  const world = await createWorld({ beside: { service, clock: ofNow }, webinar: { timezone, schedule } });
  const address = `${service.baseUrl}/w/${await slugOf(world)}`;
  const answer = await fetch(address, { headers: { Accept: 'application/json' } });
  const { slots } = ((await answer.json()) as { data: WebinarPage }).data;
  const [before, after] = slots.map(({ startsAt }) => startsAt) as [string, string];
  // The webinar keeps its clock, so that of a zone without the change moves.
  expect(clockIn(before, timezone)).toBe(clockIn(after, timezone));
  expect(clockIn(before, 'Asia/Kathmandu')).not.toBe(clockIn(after, 'Asia/Kathmandu'));
  for (const timezoneId of ['Pacific/Auckland', 'Asia/Kathmandu', timezone]) {
    const page = await browser.newPage({ timezoneId, locale: 'en-US' });
    await page.goto(address);
    await page.getByRole('radio').nth(1).waitFor();
    const text = await textOf(page);
    for (const time of [before, after]) {
      const day = new Date(time).toLocaleDateString('en-US', { timeZone: timezoneId, dateStyle: 'full' });
      expect(text).toContain(`${day}\n${clockIn(time, timezoneId).replace(/ [AP]M/, '')} – `);
    }
    const besides = text.match(new RegExp(`${clockIn(before, timezone)} in New York`, 'g')) ?? [];
    expect(besides).toHaveLength(timezoneId === timezone ? 0 : 2);
    await page.close();
  }
});

/** The moment of the next change of clocks in a zone, to the hour, in milliseconds since 1970. */
function nextChangeOf(timeZone: string): number {
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const hourMs = 3_600_000;
  const firstMs = Math.ceil(Date.now() / hourMs + 48) * hourMs;
  const nameAt = (ms: number) => offset.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
  let ms = firstMs;
  while (nameAt(ms) === nameAt(firstMs)) ms += hourMs;
  return ms;
}

test('another site frames only the embedded form, which has its texts in German and says its height', async ({
  service,
  browser,
}) => {
  const world = await createWorld({
    beside: { service, clock: ofNow },
    sessionTime: inBerlin(),
    webinar: { title: 'Neue Kollektion', locale: 'de-AT', registrationPage: { linksByMailOnly: true } },
  });
  const address = `${service.baseUrl}/w/${await slugOf(world)}`;
  await using site = await startReceiver((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(siteWith(address));
  });
  const page = await browser.newPage({ locale: 'de-AT' });
  await page.goto(site.url);
  const form = page.frameLocator('#embed');
  await form.getByLabel('Name').fill('Ada');
  await form.getByLabel('E-Mail').fill('ada@example.com');
  expect((await page.locator('#embed').boundingBox())!.height).toBeGreaterThan(400);
  await form.getByRole('button', { name: 'Anmelden' }).click();
  await form.getByRole('heading', { name: 'Sehen Sie in Ihr Postfach' }).waitFor();
  expect(await world.get('/registrations')).toMatchObject([{ email: 'ada@example.com' }]);
});

/** Another site with the embedded form. */
const siteWith = (address: string): string => `<!doctype html>
  <iframe id="embed" src="${address}/embed" style="height: 100px; width: 600px"></iframe>
  <script>
    addEventListener('message', ({ data }) => {
      document.getElementById('embed').style.height = data.height + 'px';
    });
  </script>`;

test('a time that is not offered any more is named when a visitor chooses it, and the page then shows the present times', async ({
  service,
  page,
}) => {
  const sessionTime = inBerlin();
  const dailyAt = (time: string) => ({
    timezoneMode: 'fixed',
    recurrences: [{ frequency: 'daily', time, startDate: sessionTime.slice(0, 10) }],
  });
  const world = await createWorld({
    beside: { service, clock: ofNow },
    sessionTime,
    webinar: { timezone: 'Europe/Berlin', schedule: dailyAt('17:00') },
  });
  const gone = page.getByText('This session can no longer be booked. Choose another time.');
  const moveTo = (time: string) => world.call('PATCH ', { schedule: dailyAt(time) });

  await page.goto(`${service.baseUrl}/w/${await slugOf(world)}`);
  await moveTo('18:15');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Register' }).click();
  await gone.waitFor();
  await page.getByText(/6:15/).first().waitFor();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.goto(await page.getByLabel('Your personal link').inputValue());

  await page.getByRole('button', { name: 'Change the time' }).click();
  await moveTo('19:30');
  await page.getByRole('button', { name: 'Move my registration' }).click();
  await gone.waitFor();
  await page.getByText(/7:30/).first().waitFor();
});

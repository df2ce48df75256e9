// The time before the scripts of a page have come: the part that the server writes, and the call that enters the room.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { createRunningClock } from '../support/world.ts';
import { createRoomWorld } from './room-world.ts';

test('the title, the description and the picture stay where they are when the script of a page runs', async ({
  browser,
}) => {
  const clock = createRunningClock();
  await using service = await testApi({ now: clock.now });
  const world = await createRoomWorld(service, clock, {
    description: 'See a webinar as your attendees see it: the video plays for everybody at the same second.',
    video: {
      source: 'url',
      url: `${service.baseUrl}/room-assets/demo.webm`,
      posterUrl: `${service.baseUrl}/room-assets/demo.webp`,
    },
    registrationPage: {
      presenters: [{ name: 'Grace Hopper', title: null, imageUrl: null }],
      takeaways: ['Read a forecast'],
    },
  });
  const { token } = await world.attend('ada@example.com');
  const startMs = Date.parse(world.webinar.sessionTime);
  const register = {
    path: `/w/${(await world.get('')).slug}`,
    ready: 'form',
    secondsToStart: 3600,
    parts: 4,
  };
  const wait = { path: `/room/${token}`, ready: '[role=timer]', secondsToStart: 300, parts: 3 };
  const watch = { path: `/room/${token}`, ready: 'video[slot=media]', secondsToStart: -5, parts: 2 };
  for (const { path, ready, secondsToStart, parts } of [register, wait, watch]) {
    clock.setTo(new Date(startMs - secondsToStart * 1000));
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height } });
      const loadScripts = await delayScripts(page);
      await page.goto(service.baseUrl + path, { waitUntil: 'commit' });
      await page.locator('.first-paint h1').waitFor();
      await eventually('the font, which changes the widths of texts', () => page.evaluate<boolean>(hasFont));
      const seen = await placesOf(page);
      expect(seen, path).toHaveLength(parts);
      loadScripts();
      await page.locator(ready).first().waitFor({ state: 'attached' });
      await page.locator('.first-paint').waitFor({ state: 'detached' });
      const places = await placesOf(page);
      const moved = seen.filter((place, index) => !isAt(place, places[index]));
      expect(moved, `${path}, ${width} px: ${JSON.stringify(places)}`).toEqual([]);
      await page.context().close();
    }
  }
});

test('a room whose scripts come after the timeout of its first call enters with the answer, so it opens one visit', async ({
  browser,
}) => {
  const clock = createRunningClock();
  await using service = await testApi({ now: clock.now });
  const world = await createRoomWorld(service, clock);
  const { token } = await world.attend('ada@example.com');
  clock.setTo(new Date(Date.parse(world.webinar.sessionTime) + 5000));
  const page = await browser.newPage();
  let visits = 0;
  page.on('request', (request) => void (request.url().endsWith('/visits') && (visits += 1)));
  await page.addInitScript(`AbortSignal.timeout = () => {
    const controller = new AbortController();
    globalThis.endTimeout ??= () => controller.abort();
    return controller.signal;
  };`);
  const loadScripts = await delayScripts(page);
  await page.goto(`${service.baseUrl}/room/${token}`, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.earlyVisit');
  await page.evaluate('earlyVisit.then(() => endTimeout())');
  loadScripts();
  await page.locator('video[slot=media]').waitFor({ state: 'attached' });
  expect(visits).toBe(1);
});

/** Delays the scripts of the page until the function that it returns is called. */
async function delayScripts(page: Page): Promise<() => void> {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/room-assets/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
}

interface Place {
  part: string;
  left: number;
  top: number;
  height: number;
}

/** A sign of another font makes a line a pixel higher. */
const isAt = (seen: Place, place: Place | undefined): boolean =>
  place?.part === seen.part &&
  [place.left - seen.left, place.top - seen.top, place.height - seen.height].every((by) => Math.abs(by) < 2);

const hasFont = `Array.from(document.fonts).some(({ status }) => status === 'loaded')`;

// Runs in the page, so it is text. The title of a room is as wide as the parts beside it leave.
const placesOf = (page: Page): Promise<Place[]> =>
  page.evaluate(`Array.from(document.querySelectorAll('h1, .frame-head > *, .registration-page-lead, .registration-page-poster, ' +
    '.lobby-description, .lobby-poster, .room-screen'), (element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return { part: element.className, left, top, height };
  })`);

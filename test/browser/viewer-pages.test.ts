// Pages of viewers with a position of their own: on-demand and adaptive webinars and a replay, with the video of the demo.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type World } from '../support/world.ts';
import { createAdaptive } from '../webinars/adaptive-world.ts';

const videoSeconds = 85;

const createVideoWorld = (service: TestApi, fields: object): Promise<World> =>
  createWorld({
    beside: { service },
    webinar: {
      durationSeconds: videoSeconds,
      video: { source: 'url', url: `${service.baseUrl}/room-assets/demo.webm` },
      ...fields,
    },
  });

const createOnDemand = (service: TestApi): Promise<World> =>
  createVideoWorld(service, { schedule: { onDemand: true } });

const joinUrlOf = async (world: World, fields: object = {}): Promise<string> =>
  (await world.create('/registrations', { name: 'Ada', email: 'ada@example.com', ...fields }))['joinUrl']!;

const video = `document.querySelector('video[slot=media]')`;

/** Waits until the video plays from this position on. Returns its position. */
const untilPlaying = (page: Page, fromSeconds = 0): Promise<number> =>
  eventually(`the video to play from ${fromSeconds} s`, () =>
    page.evaluate<number>(
      `(() => { const video = ${video}; return video && !video.paused && video.currentTime > ${fromSeconds} && video.currentTime; })()`,
    ),
  );

test('a viewer goes on at their position after the video failed, and after a reload on which it does not load at once', async ({
  service,
  page,
}) => {
  await page.goto(await joinUrlOf(await createOnDemand(service)));
  await untilPlaying(page);
  await page.evaluate(`${video}.currentTime = 40`);
  await untilPlaying(page, 40.2);
  await page.evaluate(`${video}.dispatchEvent(new Event('error'))`);
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(await untilPlaying(page)).toBeGreaterThan(40);

  await page.route('**/demo.webm', (route) => route.abort());
  const [beat] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/heartbeats')),
    page.reload(),
  ]);
  expect(beat.postDataJSON().playheadSeconds).toBeGreaterThanOrEqual(40);
  await page.unroute('**/demo.webm');
  expect(await untilPlaying(page)).toBeGreaterThanOrEqual(40);
});

test('a browser that plays sound only after a gesture plays muted at once, and one tap turns the sound on', async ({
  service,
  page,
}) => {
  await page.addInitScript(`(() => {
    // Not navigator.userActivation: what a test evaluates in a page counts there as a gesture.
    let isClicked = false;
    addEventListener('click', () => (isClicked = true), true);
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      const isAllowed = this.muted || isClicked;
      return isAllowed ? play.call(this) : Promise.reject(new DOMException('No gesture', 'NotAllowedError'));
    };
  })()`);
  await page.goto(await joinUrlOf(await createOnDemand(service)));
  await eventually('the video to play muted', () =>
    page.evaluate<boolean>(
      `(() => { const video = ${video}; return video && !video.paused && video.currentTime > 0 && video.muted; })()`,
    ),
  );
  await page.getByRole('button', { name: 'Tap for sound' }).click();
  await eventually('the sound', () => page.evaluate<boolean>(`!${video}.muted && !${video}.paused`));
});

test('a replay goes on at the position of the viewer when the page is loaded again', async ({ page }) => {
  let aheadMs = 0;
  await using service = await testApi({ now: () => new Date(Date.now() + aheadMs) });
  const world = await createVideoWorld(service, { replay: { enabled: true } });
  const { sessionTime } = world.webinar;
  const joinUrl = await joinUrlOf(world, { sessionTime });
  aheadMs = Date.parse(sessionTime) + 2 * videoSeconds * 1000 - Date.now();
  await page.goto(joinUrl);
  await untilPlaying(page);
  await page.evaluate(`${video}.currentTime = 40`);
  await untilPlaying(page, 40.2);
  await page.reload();
  expect(await untilPlaying(page)).toBeGreaterThan(40);
});

test('an attendee reads that an answer failed and sends it again, keeps a half-written message, and keeps the focus when a card closes', async ({
  service,
  page,
}) => {
  const world = await createOnDemand(service);
  const options = [{ label: 'A weekly webinar' }, { label: 'A launch' }];
  await world.interaction({ type: 'poll', headline: 'What first?', showAtSeconds: 0, options });
  await page.goto(await joinUrlOf(world));

  const answers = '**/answers';
  await page.route(answers, (route) => route.abort());
  await page.getByLabel('A launch').check();
  const vote = page.getByRole('button', { name: 'Vote' });
  await vote.click();
  const failure = page.getByRole('status').filter({ hasText: 'Your answer did not arrive. Try again.' });
  await failure.waitFor();
  await page.unroute(answers);
  await vote.click();
  await page.getByText('1 answer', { exact: true }).waitFor();
  await failure.waitFor({ state: 'detached' });

  await page.getByRole('textbox', { name: 'Message' }).fill('Half a');
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByRole('tab', { name: 'Chat' }).click();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half a');

  await page.getByRole('button', { name: 'Close' }).press('Enter');
  await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Video');
});

test('a chat that keeps no more messages still follows new ones', async ({ service, page }) => {
  const feedOf = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_one, index) => {
      const text = `Message ${from + index}`;
      const id = String(from + index).padStart(4, '0');
      const fields = { name: 'Grace', sentAt: new Date().toISOString(), own: false, role: 'attendee' };
      return `id: ${id}\ndata: ${JSON.stringify({ type: 'message', id, text, replyTo: null, ...fields })}\n\n`;
    }).join('');
  const answers = [`retry: 100\n\n${feedOf(1, 500)}`, feedOf(501, 501)];
  await page.route('**/events*', async (route) => {
    const body = answers.shift();
    // Later attempts wait.
    if (body !== undefined) await route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.goto(await joinUrlOf(await createOnDemand(service)));
  const log = page.getByRole('log');
  await log.getByText('Message 501').waitFor();
  expect(await log.getByText('Message 1', { exact: true }).count()).toBe(0);
  expect(
    await log.evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    ),
  ).toBeLessThan(2);
});

test('a default branch that fails is taken again, and a tab that another one set aside stays silent in the next segment', async ({
  service,
  browser,
}) => {
  const world = await createAdaptive(service);
  const videoUrl = `${service.baseUrl}/room-assets/demo.webm`;
  const segment = async (title: string, fields: object) =>
    (await world.create('/segments', { title, durationSeconds: videoSeconds, videoUrl, ...fields }))['id'];
  const [fromSegmentId, toSegmentId] = [
    await segment('Welcome', { isEntry: true }),
    await segment('Prices', { isTerminal: true }),
  ];
  const ends = { fromSegmentId, toSegmentId };
  await world.create('/branches', { ...ends, label: 'On', via: 'default' });
  await world.create('/branches', { ...ends, label: 'Prices', via: 'choice', choiceTimeoutSeconds: 1 });
  await world.publish();
  const joinUrl = await joinUrlOf(world);
  const segmentOf = async (tab: Page, change: () => Promise<unknown>): Promise<string> => {
    const [answer] = await Promise.all([
      tab.waitForResponse((response) => response.url().endsWith('/heartbeats')),
      change(),
    ]);
    return (await answer.json()).path.segmentId;
  };

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(joinUrl);
  await untilPlaying(page);
  const second = await context.newPage();
  await second.goto(joinUrl);
  await page.getByText('The webinar plays in another tab.').waitFor();
  await untilPlaying(second);
  const branches = '**/branches/*';
  let tries = 0;
  await second.route(branches, (route) => {
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  await second.evaluate(`${video}.currentTime = ${videoSeconds - 1}`);
  await second.waitForResponse(/\/branches\//);
  await untilPlaying(second);
  expect(tries).toBe(2);

  const changed = await segmentOf(page, () =>
    page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`),
  );
  expect(changed).toBe(toSegmentId);
  await eventually('the next video to load', () =>
    page.evaluate<boolean>(`${video}.currentTime === 0 && ${video}.readyState > 2`),
  );
  expect(await page.evaluate(`${video}.paused`)).toBe(true);
});

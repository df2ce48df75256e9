// An attendee's page from the lobby to the replay, with the video of the demo. The time in the room runs as fast as the real one, and
// starts shortly before the session.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testApi } from '../support/api.ts';
import { findAxeProblems } from '../support/axe.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { createRunningClock } from '../support/world.ts';
import { createAdaptive } from '../webinars/adaptive-world.ts';
import { createRoomWorld, playerOf, untilLive, videoSeconds } from './room-world.ts';

test(
  'an attendee waits in the lobby, watches live, answers, chats, clicks, loses the network, and watches the replay',
  { timeout: 120_000 },
  async ({ browser }) => {
    const clock = createRunningClock();
    await using service = await testApi({ now: clock.now });
    const world = await createRoomWorld(service, clock);
    const { baseUrl } = service;
    await world.interaction({
      type: 'poll',
      headline: 'What do you plan first?',
      showAtSeconds: 1,
      hideAtSeconds: 60,
      options: [{ label: 'A weekly webinar' }, { label: 'A launch' }],
    });
    const offer = await world.interaction({
      type: 'offer',
      headline: 'Starter plan',
      showAtSeconds: 8,
      url: `${baseUrl}/healthz`,
      buttonLabel: 'See the offer',
      priceMinor: 7900,
      currency: 'EUR',
      countdownSeconds: 60,
    });
    const [ada, grace] = [await world.attend('ada@example.com'), await world.attend('grace@example.com')];
    clock.setTo(new Date(Date.parse(world.webinar.sessionTime) - 4000));

    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await page.goto(`${baseUrl}/room/${ada.token}`);
    await page.getByRole('timer', { name: 'Starts in' }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);

    // The lobby turns into the room by itself.
    await untilLive(page, world);
    const joinedAtMs = Date.now();
    await page.getByLabel('A launch').check();
    await page.getByRole('button', { name: 'Vote' }).click();
    await page.getByText('1 answer', { exact: true }).waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    expect(await countLayouts(page)).toBeLessThan(20);

    await grace.say('See https://example.com/plan and javascript:alert(1)');
    const log = page.getByRole('log', { name: 'Chat messages' });
    const link = log.getByRole('link');
    await link.waitFor();
    expect([await link.count(), await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      1,
      'https://example.com/plan',
      'noopener nofollow ugc',
    ]);
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: 'Message' }).fill('<b>Hello</b>');
    await page.keyboard.press('Enter');
    await log.getByText('<b>Hello</b>', { exact: true }).waitFor();

    // Without a network the video plays on, and the message waits for a click.
    await context.setOffline(true);
    // For a moment the browser may still send a request of the page.
    await eventually('the network to be gone', () =>
      page.evaluate<boolean>(`fetch('/healthz').then(() => false, () => true)`),
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('Are you there?');
    await page.keyboard.press('Enter');
    await log.getByText('Not sent.').waitFor();
    await context.setOffline(false);
    await log.getByRole('button', { name: 'Send again' }).click();
    await eventually('the message to be sent', async () => (await log.getByText('Not sent.').count()) === 0);

    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: /See the offer/ }).click();
    const target = await opening;
    await target.waitForURL(/\/healthz\?svc_click=[\da-f-]{36}$/);
    await target.close();

    // A late comer is at the live position, and a second tab sets the first one aside.
    const late = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await late.goto(`${baseUrl}/room/${grace.token}`);
    const second = await context.newPage();
    await second.goto(`${baseUrl}/room/${ada.token}`);
    await page.getByText('The webinar plays in another tab.').waitFor();
    await untilLive(late, world);
    await untilLive(second, world);
    await late.getByRole('button', { name: 'Minimise' }).click();
    await late.getByRole('button', { name: 'Open Starter plan' }).click();
    expect(await findAxeProblems(late)).toEqual([]);
    await second.close();
    await page.getByRole('button', { name: 'Watch here' }).click();
    await untilLive(page, world);

    // Closing the page reports the rest.
    const watchedSeconds = Math.round((Date.now() - joinedAtMs) / 1000);
    await page.goto('about:blank');
    const record = await eventually('the watch time', async () => {
      const registration = await world.get(`/registrations/${ada.registrationId}`);
      // Nothing plays while the video passes from one tab to the other, which takes longer on a busy machine.
      const { watchedSeconds: counted } = registration.attendance;
      return counted >= watchedSeconds - 8 && counted <= watchedSeconds + 2 && registration;
    });
    expect(record.attendance).toMatchObject({ joinCount: 1 });
    const statistics = await world.get(`/interactions/${offer}/stats`);
    expect(statistics).toMatchObject({ views: 2, clicks: 1 });

    // At the end the page leads to the replay, which begins at the start and can be sought.
    clock.setTo(new Date(Date.parse(world.webinar.sessionTime) + videoSeconds * 1000));
    await late.getByRole('heading', { name: 'The webinar has ended' }).waitFor();
    await late.getByRole('button', { name: 'Watch the replay' }).click();
    const position = await eventually('the replay to play', () =>
      late.evaluate<number>(`document.querySelector('video[slot=media]')?.currentTime ?? 0`),
    );
    expect(position).toBeLessThan(5);
    expect(await late.locator('media-time-range').count()).toBe(1);
    expect(failures).toEqual([]);
  },
);

test('a viewer of an adaptive webinar chooses by keyboard what comes next, whose video was loaded before, and it plays without an empty frame', async ({
  page,
}) => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const videoUrl = `${service.baseUrl}/room-assets/demo.webm`;
  const segment = async (title: string, fields: object = {}) =>
    (await world.create('/segments', { title, durationSeconds: videoSeconds, videoUrl, ...fields }))['id'];
  const [fromSegmentId, toSegmentId] = [
    await segment('Welcome', { isEntry: true }),
    await segment('Prices', { isTerminal: true, videoUrl: `${videoUrl}?prices` }),
  ];
  const branch = (label: string, fields: object) =>
    world.create('/branches', { fromSegmentId, toSegmentId, label, ...fields });
  await branch('On', { via: 'default' });
  await branch('Show the prices', { via: 'choice', promptText: 'What next?', promptAtSeconds: 2 });
  await world.publish();
  const { joinUrl } = await world.create('/registrations', { name: 'Ada', email: 'ada@example.com' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(joinUrl!);
  await page.getByRole('heading', { name: 'What next?' }).waitFor();
  await eventually('the next video to be loaded', () =>
    page.evaluate<boolean>(`document.querySelector('video[hidden]')?.src.endsWith('?prices') &&
      document.querySelector('video[hidden]').readyState > 2`),
  );
  // Notes when neither the video nor its last picture is seen: in each painted frame, and whenever the source of the video has changed.
  await page.evaluate(`globalThis.emptyFrames = 0;
    const video = document.querySelector('video[slot=media]');
    const look = () => {
      if (video.readyState < 2 && document.querySelector('canvas:not([hidden])') === null) emptyFrames += 1;
    };
    new MutationObserver(look).observe(video, { attributeFilter: ['src'] });
    (function lookAgain() {
      look();
      requestAnimationFrame(lookAgain);
    })()`);
  await page.getByRole('button', { name: 'Show the prices' }).focus();
  const taken = page.waitForResponse(/\/branches\//);
  await page.keyboard.press('Enter');
  expect((await (await taken).json()).segmentId).toBe(toSegmentId);
  await page.getByRole('heading', { name: 'What next?' }).waitFor({ state: 'detached' });
  // The heartbeats after the choice are those of the segment that plays.
  const beat = await page.waitForRequest(
    (request) => request.url().endsWith('/heartbeats') && request.postDataJSON().state === 'playing',
  );
  expect(beat.postDataJSON()).toMatchObject({ segmentId: toSegmentId });
  expect(await page.evaluate('emptyFrames')).toBe(0);
});

/** Counts the layouts of the page during about one second of video. A page on which something always moves has 60. */
async function countLayouts(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const layouts = async (): Promise<number> =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'LayoutCount')!.value;
  const before = await layouts();
  const { position } = await playerOf(page);
  await eventually('a second of video', async () => (await playerOf(page)).position > position + 1);
  return (await layouts()) - before;
}

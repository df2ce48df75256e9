// An attendee during an outage of the network, a sleep of the computer and a reload. The three share one session and one wait.
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testApi } from '../support/api.ts';
import type { Attendee } from '../support/attendee.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { createRunningClock } from '../support/world.ts';
import { createRoomWorld, playedSecondsOf, untilLive, type RoomWorld } from './room-world.ts';

test(
  'after sixteen seconds offline, a sleep or a reload a page is at the live position again, and its watch time is the time in which it played',
  { timeout: 120_000 },
  async ({ browser }) => {
    const clock = createRunningClock();
    await using service = await testApi({ now: clock.now });
    const world = await createRoomWorld(service, clock);
    const [ada, grace, tim, speaker] = (await Promise.all(
      ['ada', 'grace', 'tim', 'speaker'].map((name) => world.attend(`${name}@example.com`)),
    )) as [Attendee, Attendee, Attendee, Attendee];
    // In the lobby, so that a page that loads slowly begins early in the video too.
    clock.setTo(new Date(Date.parse(world.webinar.sessionTime) - 5000));
    await Promise.all([
      loseNetwork(browser, { world, attendee: ada, speaker }),
      sleep({ world, attendee: grace }),
      reload(browser, { world, attendee: tim }),
    ]);
  },
);

interface Viewing {
  world: RoomWorld;
  attendee: Attendee;
}

const outageMs = 16_000;
const sleepMs = 8000;

async function loseNetwork(browser: TestBrowser, viewing: Viewing & { speaker: Attendee }): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await enter(page, viewing);
  const trouble = page.getByRole('status').filter({ hasText: 'The connection is weak' });
  await eventually('the video to be loaded for the outage', () => page.evaluate<boolean>(isLoadedAhead));
  await context.setOffline(true);
  const offlineMs = Date.now();
  await trouble.waitFor();
  await viewing.speaker.say('Said during the outage');
  await delay(outageMs - (Date.now() - offlineMs));
  // The video plays on.
  await untilLive(page, viewing.world);
  await context.setOffline(false);
  await page.getByText('Said during the outage').waitFor();
  await trouble.waitFor({ state: 'hidden' });
  const played = await playedSecondsOf(page);
  await requireWatchTime(page, viewing, { least: played, most: played });
}

const isLoadedAhead = `(({ buffered, currentTime }) =>
  buffered.length > 0 && buffered.end(buffered.length - 1) > currentTime + ${outageMs / 1000 + 2})(
  document.querySelector('video[slot=media]'))`;

async function sleep(viewing: Viewing): Promise<void> {
  await using browser = await startBrowser();
  const page = await browser.newPage();
  await enter(page, viewing);
  const before = await playedSecondsOf(page);
  await browser.signalPages('SIGSTOP');
  await delay(sleepMs);
  await browser.signalPages('SIGCONT');
  await untilLive(page, viewing.world);
  // A browser may count the time of the sleep as played, at once or later, although the page showed nothing.
  const awake = await playedSecondsOf(page);
  const awakeMs = Date.now();
  await delay(5000);
  const afterwards = Math.min((await playedSecondsOf(page)) - awake, (Date.now() - awakeMs) / 1000);
  const most = viewing.world.livePosition() - sleepMs / 1000;
  await requireWatchTime(page, viewing, { least: before + afterwards, most });
}

async function reload(browser: TestBrowser, viewing: Viewing): Promise<void> {
  const page = await browser.newPage();
  await enter(page, viewing);
  await delay(6000);
  const former = await playedSecondsOf(page);
  await page.reload();
  await untilLive(page, viewing.world);
  await delay(5000);
  const played = former + (await playedSecondsOf(page));
  await requireWatchTime(page, viewing, { least: played - 2, most: played + 2 });
}

/** Opens the room, until it plays at the live position. */
async function enter(page: Page, { world, attendee }: Viewing): Promise<void> {
  await page.goto(`${world.service.baseUrl}/room/${attendee.token}`);
  await untilLive(page, world);
}

/** Closes the page, which reports the rest, and expects a watch time that is not more than two seconds outside of these bounds. */
async function requireWatchTime(
  page: Page,
  { world, attendee }: Viewing,
  { least, most }: { least: number; most: number },
): Promise<void> {
  const read = async () => (await world.get(`/registrations/${attendee.registrationId}`)).attendance;
  await page.goto('about:blank');
  await eventually('the watch time', async () => (await read()).watchedSeconds > least - 2);
  const { watchedSeconds, joinCount } = await read();
  expect(watchedSeconds).toBeLessThan(most + 2);
  expect(joinCount).toBe(1);
}

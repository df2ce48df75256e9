// The webhooks of everything that an attendee does on the pages. The time in the room runs twice as fast as the real one, as the video of
// this attendee does.
import type { Page } from 'playwright-core';
import { eventCatalogue } from '@service/automations';
import { expect } from 'vitest';
import { test } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { createRunningClock } from '../support/world.ts';
import type { Hook, TestWebinar } from '../triggers/test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from '../triggers/trigger-world.ts';
import { playedSecondsOf, videoSeconds } from './room-world.ts';

const speed = 2;

/** The triggers that a page causes, with the parameters of their rules. */
const triggers: Record<string, object> = {
  registered: {},
  joined: {},
  left: {},
  watched_percent: { percent: 5 },
  video_complete: {},
  cta_click: {},
  handout_download: {},
  poll_response: {},
  chat_response: {},
  branch_taken: {},
  segment_completed: {},
};

/** They have other causes, a time or a payment, or need a longer video. */
const ofOthers = [
  'watched_minutes',
  'no_show',
  'purchase',
  'refund',
  'before_session',
  'after_session',
  'time_elapsed_after_event',
];

test(
  'everything that an attendee does from the registration page to the end of the video arrives as a webhook, with the watch time of the player',
  { timeout: 120_000 },
  async ({ page }) => {
    await using world = await createTriggerWorld(createRunningClock(speed));
    const webinar = await createTour(world);
    expect([...Object.keys(triggers), ...ofOthers].toSorted()).toEqual(
      eventCatalogue.map(({ type }) => type).toSorted(),
    );
    const rules: [string, Hook][] = [];
    for (const [type, params] of Object.entries(triggers))
      rules.push([type, await webinar.rule(type, params)]);

    const { slug } = (await webinar.call('GET ')).json.data;
    await page.goto(`${world.service.baseUrl}/w/${slug}?utm_source=letter`);
    await register(page);
    await watchAtSpeed(page);
    await useEverything(page);
    const played = await watchToEnd(page);

    const closedAt = world.clock.now().toISOString();
    await page.goto('about:blank');
    const { watchedSeconds } = await eventually('the last heartbeat', async () => {
      const [{ attendance }] = (await webinar.call('GET /registrations')).json.data;
      return attendance.lastSeenAt >= closedAt && attendance;
    });
    expect(Math.abs(watchedSeconds - played)).toBeLessThan(2);
    const [, leftRule] = rules.find(([type]) => type === 'left')!;
    // The message that the page was closed may arrive after the last heartbeat, and then the attendee leaves a minute later.
    await eventually('the departure', async () => {
      world.clock.advance(61);
      await world.tick();
      return (await webinar.sent(leftRule)).length > 0;
    });
    for (const [type, rule] of rules) {
      const bodies = (await webinar.sent(rule)).map(({ body }) => body);
      expect(
        bodies.map(({ event_type }) => event_type),
        type,
      ).toEqual(
        // One of the offer, and one of the call to action.
        type === 'cta_click' ? [type, type] : [type],
      );
      expect(bodies[0].attendee).toMatchObject({ name: 'Ada Lovelace', utm_source: 'letter' });
    }
  },
);

/** A webinar of two segments that can be watched at any time, with one interaction of each type. */
async function createTour({ createWebinar, service }: TriggerWorld): Promise<TestWebinar> {
  const fields = {
    kind: 'adaptive',
    durationSeconds: undefined,
    schedule: { onDemand: true },
    room: { seekAllowed: true },
    attendance: { completionPercent: 6 },
  };
  const webinar = await createWebinar({ publish: false, fields });
  const videoUrl = `${service.baseUrl}/room-assets/demo.webm`;
  const segment = async (title: string, more: object) =>
    (await webinar.create('/segments', { title, durationSeconds: videoSeconds, videoUrl, ...more })).id;
  const fromSegmentId = await segment('Welcome', { isEntry: true });
  const ends = { fromSegmentId, toSegmentId: await segment('Prices', { isTerminal: true }) };
  await webinar.create('/branches', { ...ends, label: 'On', via: 'default' });
  const prompt = { promptText: 'What next?', promptAtSeconds: 80 };
  await webinar.create('/branches', { ...ends, label: 'Show the prices', via: 'choice', ...prompt });
  const link = { display: 'panel', url: `${service.baseUrl}/healthz` };
  await webinar.interaction({ ...link, type: 'offer', buttonLabel: 'See the offer' });
  await webinar.interaction({ ...link, type: 'cta', buttonLabel: 'Book a call' });
  await webinar.interaction({ ...link, type: 'handout', fileName: 'slides.pdf' });
  const options = [{ label: 'A weekly webinar' }, { label: 'A launch' }];
  await webinar.interaction({ display: 'panel', type: 'poll', options });
  await webinar.create('/publish');
  return webinar;
}

async function register(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByRole('button', { name: 'Watch now' }).click();
  await page.getByRole('link', { name: 'Watch now' }).click();
}

const video = `document.querySelector('video[slot=media]')`;

async function watchAtSpeed(page: Page): Promise<void> {
  const rate = page.locator('media-playback-rate-button');
  // 1.25, 1.5, 1.75, 2.
  for (let clicks = 0; clicks < 4; clicks += 1) await rate.click();
  await eventually('the video to play', () => page.evaluate<boolean>(`${video}.currentTime > 1`));
  expect(await page.evaluate(`${video}.playbackRate`)).toBe(speed);
}

/** Votes, writes, and opens each link, in the first segment. */
async function useEverything(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Is there a recording?');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /For you/ }).click();
  await page.getByLabel('A launch').check();
  await page.getByRole('button', { name: 'Vote' }).click();
  for (const name of ['See the offer', 'Book a call', 'Download slides.pdf']) {
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name }).click();
    const target = await opening;
    await target.waitForURL(/\/healthz/);
    await target.close();
  }
}

/** Watches some of the first segment, seeks to its end, and chooses the next one. Returns the seconds that the player played. */
async function watchToEnd(page: Page): Promise<number> {
  const countPlayed = () => playedSecondsOf(page);
  await eventually('a part of the video', async () => (await countPlayed()) > 15);
  await page.evaluate(`${video}.currentTime = 81`);
  const choice = page.getByRole('button', { name: 'Show the prices' });
  await eventually('the end of the segment', () => page.evaluate<boolean>(`${video}.ended`));
  const played = await countPlayed();
  await choice.click();
  await choice.waitFor({ state: 'detached' });
  await eventually('the next segment to play', async () => (await countPlayed()) < 60);
  return played + (await countPlayed());
}

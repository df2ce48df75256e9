// Playback in the room: a stream, a session that its host leads, and an attendee with a keyboard only.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { inMinutes, testApi } from '../support/api.ts';
import type { Attendee } from '../support/attendee.ts';
import { findAxeProblems } from '../support/axe.ts';
import { test as base } from '../support/browser-test.ts';
import { eventually } from '../support/eventually.ts';
import { tabTo } from '../support/keyboard.ts';
import { startReceiver } from '../support/receiver.ts';
import { createRunningClock } from '../support/world.ts';
import { createRoomWorld, playerOf, untilLive, videoSeconds } from './room-world.ts';

const clock = createRunningClock();

/** All tests share a service, whose rooms have the time of `clock`. */
const test = base.override(
  'service',
  { scope: 'file' },
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  async ({}, { onCleanup }) => {
    const service = await testApi({ now: clock.now });
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  },
);

/** The first four seconds of the video of the demo as a fragmented mp4 (VP9 and Opus, copied by the library mediabunny): its index, and two parts. */
const stream = await readFile(new URL('hls/demo.mp4', import.meta.url));
const index = { from: 0, bytes: 1094 };
const parts = [
  { from: 1094, bytes: 76_623 },
  { from: 77_717, bytes: 44_202 },
];
const partSeconds = 2;

const playlist = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  `#EXT-X-TARGETDURATION:${partSeconds}`,
  '#EXT-X-PLAYLIST-TYPE:VOD',
  `#EXT-X-MAP:URI="demo.mp4",BYTERANGE="${index.bytes}@${index.from}"`,
  ...parts.flatMap(({ from, bytes }) => [
    `#EXTINF:${partSeconds},`,
    `#EXT-X-BYTERANGE:${bytes}@${from}`,
    'demo.mp4',
  ]),
  '#EXT-X-ENDLIST',
].join('\n');

/** A host of videos, which other sites may read. */
function startVideoHost() {
  const host = { isDown: false };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'range');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (host.isDown) return void response.writeHead(503).end();
    if (request.url?.endsWith('.m3u8')) return void response.end(playlist);
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? 'bytes=0-') ?? [];
    const body = stream.subarray(Number(from), to ? Number(to) + 1 : stream.length);
    const range = `bytes ${from}-${Number(from) + body.length - 1}/${stream.length}`;
    response.writeHead(206, { 'Content-Type': 'video/mp4', 'Content-Range': range }).end(body);
  };
  return startReceiver(answer).then((receiver) => Object.assign(host, receiver));
}

test('a stream of another host plays from part to part to its end, also if its host could not be reached at first', async ({
  service,
  page,
}) => {
  await using host = await startVideoHost();
  const world = await createRoomWorld(service, clock, {
    schedule: { onDemand: true },
    video: { source: 'hls', url: new URL('/demo.m3u8', host.url).href },
  });
  const { joinUrl } = await world.create('/registrations', { name: 'Ada', email: 'ada@example.com' });
  host.isDown = true;
  await page.goto(joinUrl!);
  await page.getByRole('alert').filter({ hasText: 'The video does not load.' }).waitFor();
  host.isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Thank you for watching' }).waitFor();
  await page.goto('about:blank');
  await expect
    .poll(async () => (await world.get('/registrations'))[0].attendance.watchedSeconds)
    .toBe(parts.length * partSeconds);
});

test('the pages of a session that its host leads go where the host goes, and a late comer and a reload begin there', async ({
  service,
  browser,
}) => {
  const world = await createRoomWorld(service, clock);
  const startsAt = inMinutes(20);
  const { id } = await world.create('/sessions', { startsAt, control: 'api' });
  const lead = (action: object) => world.create(`/sessions/${id}/progress`, action);
  const [early, late] = [
    await world.attend('early@example.com', { sessionTime: startsAt }),
    await world.attend('late@example.com', { sessionTime: startsAt }),
  ];
  clock.setTo(new Date(Date.parse(startsAt) - 60_000));
  const open = async ({ token }: Attendee): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(`${service.baseUrl}/room/${token}`);
    return page;
  };
  const untilAfter = (page: Page, seconds: number) =>
    eventually(`the video to play shortly after ${seconds} s`, async () => {
      const { isPlaying, position } = await playerOf(page);
      return isPlaying && position > seconds && position < seconds + 8;
    });

  const first = await open(early);
  await first.getByRole('timer', { name: 'Starts in' }).waitFor();
  await lead({ action: 'start' });
  await untilAfter(first, 0);
  await lead({ action: 'seek', positionSeconds: 30 });
  await untilAfter(first, 30);
  const second = await open(late);
  await untilAfter(second, 30);
  await first.reload();
  await untilAfter(first, 30);
  await lead({ action: 'seek', positionSeconds: 10 });
  await Promise.all([untilAfter(first, 10), untilAfter(second, 10)]);
  await lead({ action: 'end' });
  for (const page of [first, second])
    await page.getByRole('heading', { name: 'The webinar has ended' }).waitFor();
});

test('an attendee uses lobby, room and replay with the keyboard alone, without motion if the system asks for that, and axe finds no violation', async ({
  service,
  browser,
}) => {
  const world = await createRoomWorld(service, clock);
  const link = { url: `${service.baseUrl}/healthz`, buttonLabel: 'See the offer' };
  await world.interaction({ type: 'offer', headline: 'Starter plan', ...link });
  const options = [{ label: 'A weekly webinar' }, { label: 'A launch' }];
  await world.interaction({ type: 'poll', display: 'banner', headline: 'What first?', options });
  const { token } = await world.attend();
  clock.setTo(new Date(Date.parse(world.webinar.sessionTime) - 6000));
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  const moving: string[] = [];
  const noteMotion = async (): Promise<void> => void moving.push(...(await page.evaluate<string[]>(motions)));

  await page.goto(`${service.baseUrl}/room/${token}`);
  await press(page.getByRole('button', { name: 'Play a tone' }));
  await page.getByRole('button', { name: 'Playing…' }).waitFor();
  await noteMotion();

  await untilLive(page, world);
  await noteMotion();
  const offer = page.getByRole('article', { name: 'Starter plan' });
  const opening = context.waitForEvent('page');
  await press(offer.getByRole('link'));
  await (await opening).close();
  await press(offer.getByRole('button', { name: 'Close' }));
  await offer.waitFor({ state: 'detached' });
  await press(page.getByLabel('A weekly webinar'), 'ArrowDown');
  await press(page.getByRole('button', { name: 'Vote' }));
  await page.getByText('1 answer', { exact: true }).waitFor();
  await press(page.locator('media-mute-button'));
  await eventually('the sound to be off', () => page.evaluate<boolean>(`${video}.muted`));
  await press(page.getByRole('switch', { name: 'captions' }));
  await eventually('the captions', () => page.evaluate<boolean>(`${video}.textTracks[0].mode === 'showing'`));
  await press(page.getByRole('tab', { name: 'Chat' }), 'ArrowRight');
  await page.getByRole('tabpanel').getByRole('heading', { name: 'Starter plan' }).waitFor();
  await noteMotion();

  clock.advance(videoSeconds);
  const toReplay = page.getByRole('button', { name: 'Watch the replay' });
  await toReplay.waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await press(toReplay);
  await eventually('the replay to play', async () => (await playerOf(page)).isPlaying);
  expect(await findAxeProblems(page)).toEqual([]);
  await press(page.locator('media-seek-forward-button'));
  await eventually('ten seconds more', async () => (await playerOf(page)).position > 10);
  await press(page.locator('media-play-button'));
  await eventually('a pause', async () => !(await playerOf(page)).isPlaying);
  await press(page.locator('media-playback-rate-button'));
  await eventually('more speed', () => page.evaluate<boolean>(`${video}.playbackRate === 1.25`));
  await press(page.locator('media-fullscreen-button'));
  await eventually('full screen', () => page.evaluate<boolean>('document.fullscreenElement !== null'));
  await press(page.locator('media-fullscreen-button'));
  await eventually('the page', () => page.evaluate<boolean>('document.fullscreenElement === null'));
  await press(page.locator('media-pip-button'));
  await eventually('the small window', () =>
    page.evaluate<boolean>('document.pictureInPictureElement !== null'),
  );
  await noteMotion();
  expect(moving).toEqual([]);
});

const video = `document.querySelector('video[slot=media]')`;

/** The elements that would move. */
const motions = `[...document.querySelectorAll('*')].filter((element) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
  return (animationName !== 'none' && parseFloat(animationDuration) > 0.001) || parseFloat(transitionDuration) > 0;
}).map((element) => element.outerHTML.slice(0, 160))`;

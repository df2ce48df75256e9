import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let ada: Attendee;
let clickUrl: string;
beforeAll(async () => {
  world = await createWorld();
  const url = 'https://shop.example/bücher?utm_source=host#top';
  await world.interaction({ type: 'offer', url, buttonLabel: 'Buy' });
  ada = await world.attend('ada@example.com', { utm_source: 'mail', utm_campaign: 'fall' });
  clickUrl = (await ada.visit()).json.interactions[0].clickUrl;
});
afterAll(() => world[Symbol.asyncDispose]());

const clicksOf = async ({ registrationId }: Attendee): Promise<{ id: string; data: object }[]> =>
  (await world.get(`/registrations/${registrationId}/events`)).filter(
    ({ type }: { type: string }) => type === 'cta_click',
  );

test('a click link is refused before the session, and no click is recorded', async () => {
  const early = await ada.follow(clickUrl);
  expect([early.status, early.json.code]).toEqual([409, 'session_not_live']);
  const page = await ada.follow(clickUrl, { Accept: 'text/html' });
  expect(page.status).toBe(409);
  expect(page.text).toContain('This link does not work now');
  expect(await clicksOf(ada)).toEqual([]);
});

test('following a click link records a click and redirects with the click id and the utm parameters', async () => {
  world.startSession();
  const followed = await ada.follow(clickUrl, { Accept: 'text/html,*/*;q=0.8' });
  const [click] = await clicksOf(ada);
  expect(followed.status).toBe(302);
  expect(followed.text).toBe('');
  expect(followed.headers.get('location')).toBe(
    `https://shop.example/b%C3%BCcher?utm_source=host&utm_campaign=fall&svc_click=${click!.id}#top`,
  );
  expect(followed.headers.get('referrer-policy')).toBe('no-referrer');
  expect(followed.headers.get('cache-control')).toBe('no-store');
  expect(click!.data).toMatchObject({ interactionId: expect.any(String), offerId: expect.any(String) });
});

test('only GET records a click', async () => {
  const before = await clicksOf(ada);
  const url = world.service.baseUrl + new URL(clickUrl).pathname;
  for (const method of ['HEAD', 'POST', 'OPTIONS']) {
    const answer = await fetch(url, { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET']);
  }
  expect(await clicksOf(ada)).toEqual(before);
});

test('an invalid click link answers 410: JSON for programs, a page for browsers', async () => {
  const token = clickUrl.split('/').at(-1)!;
  const forged = Buffer.from(token, 'base64url');
  // The last byte of the interaction's id.
  forged[51]! ^= 1;
  const joinToken = `${world.service.baseUrl}/r/${ada.token}`;
  for (const url of [`${clickUrl}x`, clickUrl.replace(token, forged.toString('base64url')), joinToken]) {
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.5']) {
      const answer = await ada.follow(url, { Accept: accept });
      expect([answer.status, answer.json.code], accept).toEqual([410, 'join_link_expired']);
    }
    const page = await ada.follow(url, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
    expect([page.headers.get('cache-control'), page.headers.get('vary')]).toEqual(['no-store', 'Accept']);
    expect(page.text).toContain('Ask the host of the webinar for a new link.');
    expect(page.text).not.toContain(new URL(url).pathname.split('/').at(-1));
  }
});

test('prefetches, prerenders and previews are not clicks, and a later click counts', async () => {
  const eve = await world.attend('eve@example.com');
  const url = (await eve.visit()).json.interactions[0].clickUrl;
  const early: Record<string, string>[] = [
    { 'Sec-Purpose': 'prefetch' },
    { 'Sec-Purpose': 'prefetch;prerender' },
    { 'Sec-Purpose': 'prefetch;anonymous-client-ip' },
    { Purpose: 'prefetch' },
    { 'X-Purpose': 'preview' },
    { 'X-Moz': 'prefetch' },
    { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
    { 'User-Agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
    { 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
    { 'User-Agent': 'WhatsApp/2.23.20.0' },
  ];
  for (const headers of early) {
    const answer = await fetch(url, { headers, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')], JSON.stringify(headers)).toEqual([503, null]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect(await clicksOf(eve)).toEqual([]);
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  expect((await eve.follow(url, { 'User-Agent': userAgent })).status).toBe(302);
  expect(await clicksOf(eve)).toHaveLength(1);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, createTestMember, inMinutes, scheduleAt } from '../support/api.ts';
import { createPageWorld, type PageWorld } from '../support/page-visitor.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';

let pages: PageWorld;
beforeAll(async () => {
  pages = await createPageWorld();
});
afterAll(() => pages[Symbol.asyncDispose]());

test('webinars of two workspaces with one title have pages of their own, and former words redirect', async () => {
  const [one, two] = [await pages.workspace(), await pages.workspace()];
  const visitor = pages.visitor();
  const former = one.slug;
  expect(former).toMatch(/^launch-[b-z2-9]{6}$/);
  expect(two.slug).toMatch(/^launch-[b-z2-9]{6}$/);
  for (const { slug, webinar } of [one, two]) expect((await visitor.read(slug)).webinar.id).toBe(webinar.id);

  const end = former.slice(-7);
  const patched = await one.call('PATCH ', { slug: 'product-tour' });
  expect(patched.json.data.slug).toBe(`product-tour${end}`);
  // A client sends what it has read.
  expect((await one.call('PATCH ', { slug: `product-tour${end}` })).json.data.slug).toBe(
    `product-tour${end}`,
  );
  for (const [path, target] of [
    [
      `${former}?utm_source=a%26b&x=//evil.example?`,
      `/w/product-tour${end}?utm_source=a%26b&x=//evil.example?`,
    ],
    [`${former}/embed`, `/w/product-tour${end}/embed`],
  ] as const) {
    const moved = await visitor.ask(path, { accept: 'text/html' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, target]);
  }
  expect((await visitor.register(`product-tour${end}`)).status).toBe(201);
});

test('drafts, archived and deleted webinars, suspended workspaces and invented paths have no page', async () => {
  const visitor = pages.visitor();
  const { slug, call, accountId } = await pages.workspace();
  const gone = async (path: string) => {
    expect(codeOf(await visitor.ask(path)), path).toEqual([404, 'webinar_not_found']);
    const html = await visitor.ask(path, { accept: 'text/html' });
    expect([html.status, html.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(html.text).toContain('{"refusal":{"code":"not_found"}}');
    const body = { name: 'Ada', email: 'ada@example.com', formToken: '' };
    const sent = await visitor.ask(`${path}/registrations`, { method: 'POST', body });
    expect(codeOf(sent), path).toEqual([404, 'webinar_not_found']);
  };
  const { pool } = pages.service.db.database;
  await pool.query(`insert into accounts.suspension (account_id, suspended_at) values ($1, now())`, [
    accountId,
  ]);
  await gone(slug);
  await pool.query('delete from accounts.suspension');
  await visitor.read(slug);
  await call('POST /unpublish');
  await gone(slug);
  await call('POST /publish');
  await visitor.read(slug);
  const archived = await pages.workspace();
  await archived.call('POST /archive');
  await gone(archived.slug);
  await call('DELETE ');
  await gone(slug);

  for (const invented of [
    'launch',
    'launch-aaaaaa',
    slug.toUpperCase(),
    `${slug.slice(0, -7)}%00${slug.slice(-7)}`,
    `..%2f..%2fapi${slug.slice(-7)}`,
    `%3Cscript%3E${slug.slice(-7)}`,
    `${'a'.repeat(200)}${slug.slice(-7)}`,
  ])
    await gone(invented);
  for (const [path, status] of [
    [`${slug}/`, 404],
    [`${slug}/other`, 404],
    [`${slug}%`, 400],
  ] as const)
    expect((await visitor.ask(path, { accept: 'text/html' })).status, path).toBe(status);
  expect((await visitor.ask(slug, { method: 'DELETE' })).status).toBe(405);
});

test('no text of a webinar leaves its place in the page, only the embedded page may be framed, and neither is cached', async () => {
  const hostile = `"><script>alert(1)</script><!--$&' onload=x`;
  const { slug } = await pages.workspace({
    title: hostile,
    description: hostile,
    locale: 'de-AT',
    registrationPage: {
      presenters: [{ name: hostile, title: hostile, imageUrl: 'https://img.example/"><script>' }],
      takeaways: [hostile],
    },
    registrationForm: {
      consentText: hostile,
      fields: [{ key: 'a', label: hostile, type: 'select', options: [hostile] }],
    },
  });
  const visitor = pages.visitor();
  const data = await visitor.read(slug);
  expect(data.webinar).toMatchObject({ title: hostile, takeaways: [hostile] });
  for (const [path, ancestors] of [
    [slug, "'none'"],
    [`${slug}/embed`, '*'],
  ] as const) {
    const { status, headers, text } = await visitor.ask(path, { accept: 'text/html' });
    expect(status).toBe(200);
    expect(text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/json" id="page-data">',
      expect.stringMatching(/^<script data-files="[\w/. -]+">$/),
    ]);
    expect(text).not.toContain('<!--');
    expect(text).toContain('<html lang="de">');
    expect(text).toContain(`<link rel="canonical" href="${pages.service.baseUrl}/w/${slug}" />`);
    const json = /id="page-data">(.*?)<\/script>/s.exec(text)![1]!;
    expect({ ...JSON.parse(json), formToken: '', serverNow: '' }).toEqual({
      ...data,
      formToken: '',
      serverNow: '',
    });
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${ancestors}`);
    for (const tag of ['script', 'style'])
      expect(headers.get('content-security-policy')).toMatch(
        new RegExp(`${tag}-src 'self' 'sha256-[\\w+/]{43}=';`),
      );
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toMatch(/\bAccept\b/);
  }
  const preflight = await visitor.ask(`${slug}/registrations`, { method: 'OPTIONS' });
  const allowed = ['origin', 'methods', 'headers', 'credentials'].map((name) =>
    preflight.headers.get(`access-control-allow-${name}`),
  );
  expect([preflight.status, ...allowed]).toEqual([204, '*', 'POST', 'Content-Type', null]);
});

test('a page offers free times of every kind, shows full ones before them, and says why there are none', async () => {
  const visitor = pages.visitor();
  const at = (iso: string) => ({ frequency: 'once', startDate: iso.slice(0, 10), time: iso.slice(11, 16) });
  const [soon, later, last] = [inMinutes(60), inMinutes(120), inMinutes(180)];
  const world = await pages.workspace({
    schedule: { recurrences: [soon, later, last].map(at), slotsShown: 1, timezoneMode: 'viewer' },
    registrationForm: { capacityPerSession: 1 },
    registrationPage: { presenters: [{ name: 'Ada' }], takeaways: ['Engines'] },
    video: { source: 'url', url: 'https://v.example/a.mp4', posterUrl: 'https://v.example/a.jpg' },
  });
  const slotsOf = async () => {
    const { state, slots } = await visitor.read(world.slug);
    return [
      state,
      ...slots.map(({ startsAt, kind, isFull }) => `${startsAt} ${kind}${isFull ? ' full' : ''}`),
    ];
  };
  expect(await slotsOf()).toEqual(['open', `${soon} scheduled`]);
  await world.register('ada@example.com', { sessionTime: soon });
  expect(await slotsOf()).toEqual(['open', `${soon} scheduled full`, `${later} scheduled`]);
  for (const sessionTime of [later, last]) await world.register('ada@example.com', { sessionTime });
  expect(await slotsOf()).toEqual(['full', ...[soon, later, last].map((time) => `${time} scheduled full`)]);
  const refused = await visitor.register(world.slug, { email: 'bob@example.com' });
  expect(codeOf(refused)).toEqual([409, 'session_full']);
  expect((await visitor.read(world.slug)).webinar).toEqual({
    id: world.webinar.id,
    title: 'Launch',
    description: null,
    posterUrl: 'https://v.example/a.jpg',
    durationSeconds: 600,
    timezone: 'UTC',
    timezoneMode: 'viewer',
    presenters: [{ name: 'Ada', title: null, imageUrl: null }],
    takeaways: ['Engines'],
  });
  const sessions = await world.get('/sessions');
  for (const { id } of sessions) await world.call(`POST /sessions/${id}/cancel`);
  expect(await slotsOf()).toEqual(['cancelled']);

  const over = await pages.workspace({ schedule: scheduleAt(inMinutes(10)) });
  const always = await pages.workspace({
    schedule: { onDemand: true, justInTime: { intervalMinutes: 15, minLeadSeconds: 60 }, slotsShown: 2 },
  });
  pages.clock.advance(1200);
  expect(await visitor.read(over.slug)).toMatchObject({ state: 'closed', slots: [] });
  const { slots, serverNow } = await visitor.read(always.slug);
  expect(slots.map(({ kind }) => kind)).toEqual(['on_demand', 'just_in_time', 'just_in_time']);
  expect(serverNow).toBe(pages.clock.now().toISOString());
  for (const { startsAt: sessionTime, kind } of slots.slice(0, 2)) {
    const made = await visitor.register(always.slug, { sessionTime });
    expect([made.status, made.json.data.session.kind]).toEqual([201, kind]);
  }
});

test('an owner chooses a colour and a logo for the pages, and the text on the colour can be read', async () => {
  const world = await pages.workspace();
  const visitor = pages.visitor();
  const brandingOf = async () => (await visitor.read(world.slug)).branding;
  expect(await brandingOf()).toEqual({ name: 'Test', color: null, textColor: null, logoUrl: null });
  const owner = await openDashboard(pages.service, world);
  const change = (branding: object) => owner.mutate('accounts.workspace.changeBranding', branding);
  await change({ color: ' #FFD400 ', logoUrl: 'https://img.example/logo.svg' });
  expect(await brandingOf()).toEqual({
    name: 'Test',
    color: '#ffd400',
    textColor: '#000000',
    logoUrl: 'https://img.example/logo.svg',
  });
  await change({ color: '#1a4fd0', logoUrl: null });
  expect(await brandingOf()).toMatchObject({ textColor: '#ffffff', logoUrl: null });
  for (const branding of [
    { color: 'red', logoUrl: null },
    { color: '#fff', logoUrl: null },
    { color: null, logoUrl: 'http://img.example/logo.svg' },
    { color: null, logoUrl: 'javascript:alert(1)' },
  ])
    expect(await refusalOf(change(branding)), JSON.stringify(branding)).toBe('validation_failed');
  const member = await openDashboard(pages.service, await createTestMember(pages.service, world.accountId));
  const refused = member.mutate('accounts.workspace.changeBranding', { color: null, logoUrl: null });
  expect(await refusalOf(refused)).toBe('owner_required');
});

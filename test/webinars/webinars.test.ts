import { expect } from 'vitest';
import { codeOf, type TestWorld } from '../support/api.ts';
import { test } from '../support/service-test.ts';

const defaults = {
  publicTitle: null,
  description: null,
  kind: 'standard',
  locale: 'en',
  timezone: 'UTC',
  durationSeconds: 3600,
  video: null,
  schedule: {
    recurrences: [],
    timezoneMode: 'fixed',
    justInTime: null,
    onDemand: false,
    blackoutDates: [],
    hoursOfOperation: null,
    slotsShown: 3,
  },
  room: {
    lateJoin: 'in_progress',
    lateCutoffMinutes: null,
    seekAllowed: false,
    chatMode: 'public',
    lobbyMinutes: 15,
  },
  replay: { enabled: false, availableHours: null },
  registrationForm: { fields: [], capacityPerSession: null, consentText: null },
  registrationPage: { presenters: [], takeaways: [], linksByMailOnly: false },
  attendance: { minSeconds: 0, completionPercent: 95, noShowGraceMinutes: 10 },
  attribution: { windowDays: null },
};

const everything = {
  title: 'Übersicht %_\\ "Q3"',
  publicTitle: 'Overview',
  slug: 'overview-q3',
  description: 'Line one\nline two',
  kind: 'adaptive',
  locale: 'pt-BR',
  timezone: 'Asia/Kathmandu',
  durationSeconds: 5400,
  video: {
    source: 'hls',
    url: 'https://media.example.com/a.m3u8?x=1',
    posterUrl: 'http://media.example.com/a.jpg',
    captionsUrl: 'https://media.example.com/a.vtt',
  },
  schedule: {
    recurrences: [
      {
        frequency: 'biweekly',
        daysOfWeek: ['monday', 'friday'],
        dayOfMonth: null,
        time: '09:30',
        startDate: '2026-01-05',
        endDate: '2099-12-31',
      },
    ],
    timezoneMode: 'viewer',
    justInTime: { intervalMinutes: 15, minLeadSeconds: 0 },
    onDemand: true,
    blackoutDates: ['2026-12-25'],
    hoursOfOperation: { start: '22:00', end: '02:00' },
    slotsShown: 10,
  },
  room: { lateJoin: 'closed', lateCutoffMinutes: 5, seekAllowed: true, chatMode: 'off', lobbyMinutes: 0 },
  replay: { enabled: true, availableHours: 48 },
  registrationForm: {
    fields: [
      { key: 'company', label: 'Company', type: 'text', required: true, options: [] },
      { key: 'size', label: 'Team size', type: 'select', required: false, options: ['1', '2 to 9'] },
    ],
    capacityPerSession: 100,
    consentText: 'I agree.',
  },
  registrationPage: {
    presenters: [{ name: 'Ada', title: 'Engines Ltd', imageUrl: 'https://img.example/ada.jpg' }],
    takeaways: ['How to begin'],
    linksByMailOnly: true,
  },
  attendance: { minSeconds: 60, completionPercent: 80, noShowGraceMinutes: 0 },
  attribution: { windowDays: 90 },
};

test('a webinar is returned as given, and omitted fields have their defaults', async ({
  world: { rest },
}) => {
  const made = await rest('POST /webinars', everything);
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${made.json.data.id}`);
  const slug = expect.stringMatching(/^overview-q3-[b-z2-9]{6}$/);
  const said = { ...everything, slug, status: 'draft', publishedAt: null, nextSession: null };
  expect(made.json.data).toMatchObject(said);
  const { json } = await rest(`GET /webinars/${made.json.data.id}`);
  expect(json.data).toEqual(made.json.data);

  const plain = await rest('POST /webinars', { title: 'Plain' });
  expect(plain.json.data).toMatchObject({
    ...defaults,
    title: 'Plain',
    slug: expect.stringMatching(/^plain-.{6}$/),
  });
});

test('an update changes only the given fields, and an object replaces the whole stored object', async ({
  world: { rest },
}) => {
  const { id, ...made } = (await rest('POST /webinars', everything)).json.data;
  const change = { description: null, video: null, room: { chatMode: 'private' } };
  const changed = await rest(`PATCH /webinars/${id}`, change);
  const expected = {
    ...made,
    ...change,
    id,
    room: { ...defaults.room, chatMode: 'private' },
    updatedAt: expect.any(String),
  };
  expect(changed.json.data).toEqual(expected);
  expect((await rest(`GET /webinars/${id}`)).json.data).toEqual(expected);
});

const refusedChanges: [object, string[]][] = [
  [{}, ['body']],
  [{ title: null }, ['title']],
  [{ status: 'published' }, ['body', 'status']],
  [{ video: { source: 'url', url: 'ftp://example.com/a.mp4' } }, ['video.url']],
  [{ video: { source: 'url', url: 'not a url' } }, ['video.url']],
  [{ video: { source: 'url', url: 'https://example.com/\u0000' } }, ['video.url']],
  [{ video: { source: 'url', url: `https://example.com/${'a'.repeat(2048)}` } }, ['video.url']],
  [{ locale: 'nonsense!' }, ['locale']],
  [{ timezone: '+01:00' }, ['timezone']],
  [{ slug: 'Not a slug' }, ['slug']],
  [{ slug: 'a'.repeat(81) }, ['slug']],
  [
    { schedule: { slotsShown: 11, justInTime: { intervalMinutes: 20 } } },
    ['schedule.justInTime.intervalMinutes', 'schedule.slotsShown'],
  ],
  [{ schedule: { hoursOfOperation: { start: '09:00', end: '09:00' } } }, ['schedule.hoursOfOperation.end']],
  [{ schedule: { blackoutDates: Array(401).fill('2026-12-01') } }, ['schedule.blackoutDates']],
  [
    { registrationForm: { fields: [{ key: 'a', label: 'A', type: 'select' }] } },
    ['registrationForm.fields.0.options'],
  ],
  [
    {
      registrationForm: {
        fields: [
          { key: 'a', label: 'A', type: 'text' },
          { key: 'a', label: 'B', type: 'text' },
        ],
      },
    },
    ['registrationForm.fields.1.key'],
  ],
  [
    { registrationForm: { fields: [{ key: '__proto__', label: 'A', type: 'text' }] } },
    ['registrationForm.fields.0.key'],
  ],
  [
    { registrationPage: { presenters: [{ name: 'A', imageUrl: 'javascript:a' }], takeaways: [''] } },
    ['registrationPage.presenters.0.imageUrl', 'registrationPage.takeaways.0'],
  ],
  [{ registrationForm: { consentText: 'half a pair \ud83d' } }, ['registrationForm.consentText']],
  [
    { attendance: { completionPercent: 101 }, room: { colour: 'red' } },
    ['attendance.completionPercent', 'room.colour'],
  ],
];

test('an invalid update is refused with every invalid field', async ({ world: { call } }) => {
  for (const [body, paths] of refusedChanges) {
    const refused = await call('PATCH ', body);
    expect(codeOf(refused)).toEqual([422, 'validation_failed']);
    expect(refused.json.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual(paths);
  }
});

/** Makes a webinar. */
const create = async ({ rest }: TestWorld, fields: object) =>
  (await rest('POST /webinars', fields)).json.data;

test('a list is filtered by status, kind and words of its titles, page after page', async ({ world }) => {
  const { rest } = world;
  for (const fields of [
    { title: 'Growth 100% real' },
    { title: 'Growth 1000 real' },
    { title: 'internal_7', publicTitle: 'GROWTH for teams', kind: 'adaptive' },
    { title: String.raw`back\slash` },
  ])
    await create(world, fields);
  const titles = async (query: string): Promise<string[]> =>
    (await rest(`GET /webinars?${query}`)).json.data.map(({ title }: { title: string }) => title);
  expect(await titles('status=published')).toEqual(['Launch']);
  expect(await titles('status=draft&kind=adaptive')).toEqual(['internal_7']);
  expect(await titles('q=growth')).toEqual(['internal_7', 'Growth 1000 real', 'Growth 100% real']);
  expect(await titles(`q=${encodeURIComponent('100%')}`)).toEqual(['Growth 100% real']);
  expect(await titles('q=internal_7')).toEqual(['internal_7']);
  expect(await titles('q=a_k')).toEqual([]);
  expect(await titles(`q=${encodeURIComponent('k\\s')}`)).toEqual([String.raw`back\slash`]);
  expect((await rest('GET /webinars?status=archived')).status).toBe(422);

  const { nextCursor } = (await rest('GET /webinars?q=growth&limit=2')).json.pagination;
  expect(await titles(`q=growth&limit=2&cursor=${nextCursor}`)).toEqual(['Growth 100% real']);
  const foreign = await rest(`GET /webinars?q=real&cursor=${nextCursor}`);
  expect(codeOf(foreign)).toEqual([400, 'malformed_request']);
});

test('a copy is a draft with the same settings and schedule, and its own title and slug', async ({
  world: { rest },
}) => {
  const { id, ...original } = (await rest('POST /webinars', everything)).json.data;
  await rest(`POST /webinars/${id}/publish`);
  const copied = await rest(`POST /webinars/${id}/duplicate`, {});
  expect(copied.status).toBe(201);
  expect(copied.json.data).toEqual({
    ...original,
    id: expect.not.stringMatching(id),
    title: `${everything.title} (copy)`,
    slug: expect.stringMatching(/^uebersicht-q3-copy-.{6}$/),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const sessions = await rest(`GET /webinars/${copied.json.data.id}/sessions`);
  expect(sessions.json.data).toEqual([]);

  const named = await rest(`POST /webinars/${id}/duplicate`, { title: 'Again' });
  expect(named.json.data).toMatchObject({ title: 'Again', slug: expect.stringMatching(/^again-.{6}$/) });
});

test.for([
  ['x'.repeat(200), 193],
  // The 193rd and 194th UTF-16 units are one emoji. It is copied as a whole or not at all.
  [`${'x'.repeat(192)}😀end`, 192],
] as const)('the title of a copy of %s stays within the maximum length', async ([title, kept], { world }) => {
  const { id } = await create(world, { title });
  const copy = await world.rest(`POST /webinars/${id}/duplicate`);
  expect(copy.json.data.title).toBe(`${'x'.repeat(kept)} (copy)`);
});

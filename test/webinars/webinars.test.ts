import { expect, test } from 'vitest';
import { callRest, codeOf, createTestWorld, testApi } from '../support/api.ts';
import { createDraft, keyOf } from './drafts.ts';

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
  attendance: { minSeconds: 60, completionPercent: 80, noShowGraceMinutes: 0 },
  attribution: { windowDays: 90 },
};

test('a webinar is returned as given, and omitted fields have their defaults', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const made = await callRest(service, 'POST /webinars', { key, body: everything });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${made.json.data.id}`);
  const said = { ...everything, status: 'draft', publishedAt: null, nextSession: null };
  expect(made.json.data).toMatchObject(said);
  const { json } = await callRest(service, `GET /webinars/${made.json.data.id}`, { key });
  expect(json.data).toEqual(made.json.data);

  const plain = await callRest(service, 'POST /webinars', { key, body: { title: 'Plain' } });
  expect(plain.json.data).toMatchObject({ ...defaults, title: 'Plain', slug: 'plain' });
});

test('an update changes only the given fields, and an object replaces the whole stored object', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const { id, ...made } = (await callRest(service, 'POST /webinars', { key, body: everything })).json.data;
  const change = { description: null, video: null, room: { chatMode: 'private' }, slug: 'overview-q3' };
  const changed = await callRest(service, `PATCH /webinars/${id}`, { key, body: change });
  const expected = {
    ...made,
    ...change,
    id,
    room: { ...defaults.room, chatMode: 'private' },
    updatedAt: expect.any(String),
  };
  expect(changed.json.data).toEqual(expected);
  expect((await callRest(service, `GET /webinars/${id}`, { key })).json.data).toEqual(expected);
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
  [{ registrationForm: { consentText: 'half a pair \ud83d' } }, ['registrationForm.consentText']],
  [
    { attendance: { completionPercent: 101 }, room: { colour: 'red' } },
    ['attendance.completionPercent', 'room.colour'],
  ],
];

test('an invalid update is refused with every invalid field', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const [body, paths] of refusedChanges) {
    const refused = await callRest(service, `PATCH /webinars/${webinar.id}`, { key, body });
    expect(codeOf(refused)).toEqual([422, 'validation_failed']);
    expect(refused.json.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual(paths);
  }
});

test('concurrent webinars with one title get different slugs, a given slug is unique, and deletion frees it', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const made = await Promise.all(Array.from({ length: 12 }, () => createDraft(service, key)));
  expect(new Set(made.map(({ slug }) => slug))).toEqual(
    new Set(['launch', ...Array.from({ length: 11 }, (_, index) => `launch-${index + 2}`)]),
  );

  const body = { title: 'Other', slug: 'launch-3' };
  expect(codeOf(await callRest(service, 'POST /webinars', { key, body }))).toEqual([
    409,
    'webinar_slug_taken',
  ]);
  const holder = made.find(({ slug }) => slug === 'launch-3');
  const other = made.find(({ slug }) => slug === 'launch-4');
  const renamed = await callRest(service, `PATCH /webinars/${other.id}`, { key, body: { slug: 'launch-3' } });
  expect(codeOf(renamed)).toEqual([409, 'webinar_slug_taken']);
  expect((await callRest(service, `DELETE /webinars/${holder.id}`, { key })).status).toBe(204);
  expect((await callRest(service, 'POST /webinars', { key, body })).status).toBe(201);
  // Slugs of other workspaces do not matter.
  const elsewhere = await keyOf(service);
  expect((await callRest(service, 'POST /webinars', { key: elsewhere, body })).status).toBe(201);
});

test('a list is filtered by status, kind and words of its titles, page after page', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  await createDraft(service, key, { title: 'Growth 100% real' });
  await createDraft(service, key, { title: 'Growth 1000 real' });
  await createDraft(service, key, { title: 'internal_7', publicTitle: 'GROWTH for teams', kind: 'adaptive' });
  await createDraft(service, key, { title: String.raw`back\slash` });
  const published = await createDraft(service, key, { title: 'Open' });
  await callRest(service, `POST /webinars/${published.id}/publish`, { key });

  const titles = async (query: string): Promise<string[]> => {
    const { json } = await callRest(service, `GET /webinars?${query}`, { key });
    return json.data.map((webinar: { title: string }) => webinar.title);
  };
  expect(await titles('status=published')).toEqual(['Open']);
  expect(await titles('status=draft&kind=adaptive')).toEqual(['internal_7']);
  expect(await titles('q=growth')).toEqual(['internal_7', 'Growth 1000 real', 'Growth 100% real']);
  expect(await titles(`q=${encodeURIComponent('100%')}`)).toEqual(['Growth 100% real']);
  expect(await titles('q=internal_7')).toEqual(['internal_7']);
  expect(await titles('q=a_k')).toEqual([]);
  expect(await titles(`q=${encodeURIComponent('k\\s')}`)).toEqual([String.raw`back\slash`]);
  expect((await callRest(service, 'GET /webinars?status=archived', { key })).status).toBe(422);

  const first = (await callRest(service, 'GET /webinars?q=growth&limit=2', { key })).json;
  expect(await titles(`q=growth&limit=2&cursor=${first.pagination.nextCursor}`)).toEqual([
    'Growth 100% real',
  ]);
  const foreign = await callRest(service, `GET /webinars?q=real&cursor=${first.pagination.nextCursor}`, {
    key,
  });
  expect(codeOf(foreign)).toEqual([400, 'malformed_request']);
});

test('a webinar can be deleted while another one has its id as slug', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { title: 'Other', slug: webinar.id };
  expect((await callRest(service, 'POST /webinars', { key, body })).status).toBe(201);
  expect((await callRest(service, `DELETE /webinars/${webinar.id}`, { key })).status).toBe(204);
});

test('a copy is a draft with the same settings, schedule and interactions, and its own title and slug', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const { id, ...original } = (await callRest(service, 'POST /webinars', { key, body: everything })).json
    .data;
  await callRest(service, `POST /webinars/${id}/publish`, { key });
  const offer = {
    internalName: 'Offer',
    headline: 'Half price',
    showAtSeconds: 60,
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  };
  expect((await callRest(service, `POST /webinars/${id}/offers`, { key, body: offer })).status).toBe(201);

  const copied = await callRest(service, `POST /webinars/${id}/duplicate`, { key, body: {} });
  expect(copied.status).toBe(201);
  expect(copied.json.data).toEqual({
    ...original,
    id: expect.not.stringMatching(id),
    title: `${everything.title} (copy)`,
    slug: 'uebersicht-q3-copy',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const at = `/webinars/${copied.json.data.id}`;
  expect((await callRest(service, `GET ${at}/interactions`, { key })).json.data).toMatchObject([offer]);
  expect((await callRest(service, `GET ${at}/sessions`, { key })).json.data).toEqual([]);

  const named = await callRest(service, `POST /webinars/${id}/duplicate`, { key, body: { title: 'Again' } });
  expect(named.json.data).toMatchObject({ title: 'Again', slug: 'again' });
});

test('the title of a copy stays within the maximum length', async () => {
  await using service = await testApi();
  const key = await keyOf(service);
  const { id } = await createDraft(service, key, { title: 'x'.repeat(200) });
  const copied = await callRest(service, `POST /webinars/${id}/duplicate`, { key });
  expect(copied.json.data.title).toBe(`${'x'.repeat(193)} (copy)`);

  // The 193rd and 194th UTF-16 units are one emoji. It is copied as a whole or not at all.
  const emoji = await createDraft(service, key, { title: `${'x'.repeat(192)}😀end` });
  const copy = await callRest(service, `POST /webinars/${emoji.id}/duplicate`, { key });
  expect(copy.json.data.title).toBe(`${'x'.repeat(192)} (copy)`);
});

import { expect } from 'vitest';
import { codeOf, createTestWorld } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { common, types } from './interaction-types.ts';

test('an interaction of each type is made, read, changed and deleted, under /interactions and under its own name', async ({
  world: { call, webinar },
}) => {
  for (const { type, path, fields, added } of types)
    for (const place of ['interactions', path]) {
      const body = { ...common, ...fields, ...(place === 'interactions' && { type }) };
      const created = await call(`POST /${place}`, body);
      expect(created.status, place).toBe(201);
      const { id, createdAt, updatedAt } = created.json.data;
      expect(created.json.data, place).toStrictEqual({
        id,
        webinarId: webinar.id,
        type,
        ...common,
        ...defaults,
        ...fields,
        ...added,
        createdAt,
        updatedAt,
      });
      const at = `/${place}/${id}`;
      expect(created.headers.get('location')).toBe(`/api/v1/webinars/${webinar.id}${at}`);
      expect((await call(`GET ${at}`)).json).toStrictEqual(created.json);

      const changes = { enabled: false, hideAtSeconds: 90, display: 'banner' };
      const { data } = (await call(`PATCH ${at}`, changes)).json;
      expect(data).toStrictEqual({ ...created.json.data, ...changes, updatedAt: data.updatedAt });
      expect(data.updatedAt > updatedAt).toBe(true);
      const deleted = await call(`DELETE ${at}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(codeOf(await call(`DELETE ${at}`))).toEqual([404, 'interaction_not_found']);
    }
});

const defaults = {
  segmentId: null,
  body: null,
  hideAtSeconds: null,
  enabled: true,
  availableInReplay: true,
  display: 'popup',
  dismissible: true,
  showWhen: [],
};

test('all fields of an offer are returned as given', async ({ world: { call } }) => {
  const full = {
    ...common,
    body: 'Only today — “half price” 🎉',
    showAtSeconds: 0,
    hideAtSeconds: 1,
    enabled: false,
    availableInReplay: false,
    display: 'panel',
    dismissible: false,
    showWhen: [
      { field: 'watchedPercent', operator: 'gte', value: 50 },
      { field: 'joined', operator: 'eq', value: true },
      { field: 'utm.source', operator: 'in', value: ['mail', 'ads'] },
      { field: 'customFields.company', operator: 'exists', value: false },
      {
        field: 'pollAnswer',
        operator: 'eq',
        value: { interactionId: '019aa1c2-0000-7000-8000-000000000002', optionId: 'yes' },
      },
    ],
    url: 'https://example.com/buy?a=b&c=%20d',
    buttonLabel: 'Buy',
    priceMinor: 0,
    imageUrl: 'https://example.com/a.png',
    productRefs: ['sku-1', 'sku-2'],
    couponCode: 'HALF',
    countdownSeconds: 600,
  };
  const body = { ...full, currency: 'eur' };
  const { json } = await call('POST /offers', body);
  expect(json.data).toMatchObject({ ...full, currency: 'EUR' });
  const cleared = { priceMinor: null, currency: null, hideAtSeconds: null, productRefs: [], showWhen: [] };
  const { data } = (await call(`PATCH /interactions/${json.data.id}`, cleared)).json;
  expect(data).toStrictEqual({ ...json.data, ...cleared, updatedAt: data.updatedAt });
});

test('poll options without an id get one, given ids are kept, and an update replaces all options', async ({
  world: { call },
}) => {
  const body = { ...common, options: [{ label: 'Yes' }, { id: 'no', label: 'No' }] };
  const { data: poll } = (await call('POST /polls', body)).json;
  expect(poll.options[1]).toEqual({ id: 'no', label: 'No' });
  expect(poll.options[0].id).toMatch(/^[\w-]{1,64}$/);
  const options = [poll.options[0], { label: 'Maybe' }];
  const { data: changed } = (await call(`PATCH /polls/${poll.id}`, { options })).json;
  expect(changed.options).toEqual([poll.options[0], { id: expect.any(String), label: 'Maybe' }]);
});

test('an interaction is found under its own type only', async ({ world: { call } }) => {
  for (const { type, path, fields } of types) {
    const { id } = (await call('POST /interactions', { type, ...common, ...fields })).json.data;
    for (const other of types) {
      const at = `/${other.path}/${id}`;
      const status = other.type === type ? 200 : 404;
      expect((await call(`GET ${at}`)).status, at).toBe(status);
      expect((await call(`PATCH ${at}`, { enabled: false })).status, at).toBe(status);
      if (status === 404) expect((await call(`DELETE ${at}`)).status, at).toBe(404);
    }
    expect((await call(`GET /${path}`)).json.data).toMatchObject([{ id }]);
  }
});

test('lists are newest first, in pages, and filtered by type and by enabled', async ({ world: { call } }) => {
  for (let number = 0; number < 8; number += 1) {
    const { type, fields } = types[number % 4]!;
    const body = { type, ...common, ...fields, headline: `${number}`, enabled: number < 4 };
    expect((await call('POST /interactions', body)).status).toBe(201);
  }
  const headlines = async (query: string): Promise<string> =>
    (await call(`GET /${query}`)).json.data.map(({ headline }: { headline: string }) => headline).join('');
  expect(await headlines('interactions')).toBe('76543210');
  expect(await headlines('interactions?type=poll')).toBe('62');
  expect(await headlines('interactions?enabled=true')).toBe('3210');
  expect(await headlines('interactions?type=cta&enabled=false')).toBe('5');
  expect(await headlines('offers?enabled=true')).toBe('0');

  const { nextCursor } = (await call('GET /interactions?enabled=false&limit=3')).json.pagination;
  expect(await headlines(`interactions?enabled=false&limit=3&cursor=${nextCursor}`)).toBe('4');
  expect((await call(`GET /interactions?enabled=true&cursor=${nextCursor}`)).status).toBe(400);
  for (const query of [
    'interactions?type=quiz',
    'interactions?enabled=yes',
    'interactions?kind=offer',
    'offers?type=offer',
  ])
    expect((await call(`GET /${query}`)).status, query).toBe(422);
});

test('an interaction of another webinar is not found', async ({ service, world }) => {
  const other = await createTestWorld(service, world);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { id } = (await other.call('POST /offers', body)).json.data;
  for (const [route, given] of [
    [`GET /offers/${id}`],
    [`PATCH /offers/${id}`, { enabled: false }],
    [`DELETE /offers/${id}`],
    [`GET /interactions/${id}/stats`],
    [`GET /interactions/${id}/responses`],
  ] as const)
    expect((await world.call(route, given)).status, route).toBe(404);
});

test('two concurrent updates of one offer are both kept', async ({ world: { call } }) => {
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { id } = (await call('POST /offers', body)).json.data;
  const changes = [
    { buttonLabel: 'Get it' },
    { couponCode: 'HALF' },
    { countdownSeconds: 60 },
    { priceMinor: 900, currency: 'EUR' },
    { productRefs: ['sku'] },
    { headline: 'Now' },
  ];
  await Promise.all(changes.map((change) => call(`PATCH /offers/${id}`, change)));
  const { data } = (await call(`GET /offers/${id}`)).json;
  expect(data).toMatchObject(Object.assign({}, ...changes));
});

test('a duplicated webinar has copies of all interactions, whose conditions name each other', async ({
  world,
}) => {
  const { call, rest } = world;
  const create = async (path: string, fields: object) =>
    (await call(`POST /${path}`, { ...common, ...fields })).json.data;
  const poll = await create('polls', types[2].fields);
  const elsewhere = '019aa1c2-0000-7000-8000-000000000001';
  const offer = await create('offers', {
    ...types[0].fields,
    showWhen: [
      { field: 'joined', operator: 'eq', value: true },
      { field: 'pollAnswer', operator: 'eq', value: { interactionId: poll.id, optionId: 'yes' } },
      { field: 'clickedInteraction', operator: 'neq', value: poll.id },
      { field: 'clickedInteraction', operator: 'in', value: [poll.id, elsewhere] },
    ],
  });
  const webinarId = (await call('POST /duplicate', {})).json.data.id;
  const copies = (await rest(`GET /webinars/${webinarId}/interactions`)).json.data;
  expect(copies).toHaveLength(2);
  const [{ id, createdAt, updatedAt, showWhen }, { id: pollId }] = copies;
  expect(copies).toStrictEqual([
    { ...offer, id, webinarId, showWhen, createdAt, updatedAt },
    { ...poll, id: pollId, webinarId, createdAt, updatedAt },
  ]);
  expect(showWhen).toEqual(JSON.parse(JSON.stringify(offer.showWhen).replaceAll(poll.id, pollId)));
  expect(new Set([offer.id, poll.id, id, pollId]).size).toBe(4);
  expect((await call('GET /interactions')).json.data).toStrictEqual([offer, poll]);
});

test('a duration too short for interactions is refused, and the error has each of them', async ({
  world,
}) => {
  const moments = Object.entries({ Early: 60, Late: 600, Later: 1800 });
  for (const [internalName, showAtSeconds] of moments) {
    const body = { ...common, internalName, showAtSeconds, url: 'https://example.com', buttonLabel: 'Go' };
    expect((await world.call('POST /ctas', body)).status).toBe(201);
  }
  const shorten = (durationSeconds: number) => world.call('PATCH ', { durationSeconds });
  const refused = await shorten(600);
  expect(refused.json.issues).toMatchObject([{ path: 'durationSeconds' }, { path: 'durationSeconds' }]);
  expect(refused.text).toContain('\\"Later\\"');
  expect((await shorten(1801)).status).toBe(200);
});

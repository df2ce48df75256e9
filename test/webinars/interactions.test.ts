import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callRest,
  createTestKey,
  createTestWebinar,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';

const common = { internalName: 'Internal', headline: 'Look', showAtSeconds: 60 };

/** A webinar for refused calls, which change nothing. */
let service: TestApi;
let key: string;
let webinar: TestWorld['webinar'];
let offerId: string;

beforeAll(async () => {
  service = await testApi();
  ({ key, webinar } = await createTestWorld(service));
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/offers`, { key, body });
  offerId = json.data.id;
});
afterAll(() => service[Symbol.asyncDispose]());

/** The required fields of each type, and the defaults that the server adds. */
const types = [
  {
    type: 'offer',
    path: 'offers',
    fields: { url: 'https://example.com/buy', buttonLabel: 'Buy' },
    added: {
      priceMinor: null,
      currency: null,
      imageUrl: null,
      productRefs: [],
      couponCode: null,
      countdownSeconds: null,
    },
  },
  { type: 'cta', path: 'ctas', fields: { url: 'http://example.com/call', buttonLabel: 'Call' }, added: {} },
  {
    type: 'poll',
    path: 'polls',
    fields: {
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    },
    added: { multiple: false, results: 'after_vote' },
  },
  {
    type: 'handout',
    path: 'handouts',
    fields: { url: 'https://example.com/slides.pdf', fileName: 'slides.pdf' },
    added: {},
  },
] as const;

const issuesOf = (answer: Awaited<ReturnType<typeof callRest>>): string[] => {
  const paths = answer.json.issues.map((issue: { path: string }) => issue.path);
  return [...new Set<string>(paths)].toSorted();
};

test('an interaction of each type is made, read, changed and deleted, under /interactions and under its own name', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const { type, path, fields, added } of types) {
    for (const place of ['interactions', path]) {
      const at = `/webinars/${webinar.id}/${place}`;
      const body = { ...common, ...fields, ...(place === 'interactions' && { type }) };
      const created = await callRest(service, `POST ${at}`, { key, body });
      expect(created.status, at).toBe(201);
      const { id, createdAt, updatedAt } = created.json.data;
      expect(created.json.data, at).toStrictEqual({
        id,
        webinarId: webinar.id,
        type,
        ...common,
        segmentId: null,
        body: null,
        hideAtSeconds: null,
        enabled: true,
        availableInReplay: true,
        display: 'popup',
        dismissible: true,
        showWhen: [],
        ...fields,
        ...added,
        createdAt,
        updatedAt,
      });
      expect(created.headers.get('location')).toBe(`/api/v1${at}/${id}`);
      expect((await callRest(service, `GET ${at}/${id}`, { key })).json).toStrictEqual(created.json);

      const changes = { enabled: false, hideAtSeconds: 90, display: 'banner' };
      const changed = await callRest(service, `PATCH ${at}/${id}`, { key, body: changes });
      expect(changed.status, at).toBe(200);
      expect(changed.json.data).toStrictEqual({
        ...created.json.data,
        ...changes,
        updatedAt: changed.json.data.updatedAt,
      });
      expect(changed.json.data.updatedAt > updatedAt).toBe(true);

      const deleted = await callRest(service, `DELETE ${at}/${id}`, { key });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      const gone = await callRest(service, `DELETE ${at}/${id}`, { key });
      expect([gone.status, gone.json.code]).toEqual([404, 'interaction_not_found']);
    }
  }
});

test('all fields of an offer are returned as given', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
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
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/offers`, { key, body });
  expect(json.data).toMatchObject({ ...full, currency: 'EUR' });
  const at = `/webinars/${webinar.id}/interactions/${json.data.id}`;
  const cleared = { priceMinor: null, currency: null, hideAtSeconds: null, productRefs: [], showWhen: [] };
  const changed = await callRest(service, `PATCH ${at}`, { key, body: cleared });
  expect(changed.json.data).toStrictEqual({
    ...json.data,
    ...cleared,
    updatedAt: changed.json.data.updatedAt,
  });
});

test('poll options without an id get one, given ids are kept, and an update replaces all options', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, options: [{ label: 'Yes' }, { id: 'no', label: 'No' }] };
  const { data: poll } = (await callRest(service, `POST /webinars/${webinar.id}/polls`, { key, body })).json;
  expect(poll.options[1]).toEqual({ id: 'no', label: 'No' });
  expect(poll.options[0].id).toMatch(/^[\w-]{1,64}$/);
  const options = [poll.options[0], { label: 'Maybe' }];
  const at = `/webinars/${webinar.id}/polls/${poll.id}`;
  const { data: changed } = (await callRest(service, `PATCH ${at}`, { key, body: { options } })).json;
  expect(changed.options).toEqual([poll.options[0], { id: expect.any(String), label: 'Maybe' }]);
});

const text = (length: number): string => 'x'.repeat(length);

test.each([
  [
    'offer',
    {
      url: 'javascript:alert(1)',
      priceMinor: 100,
      options: [],
      fileName: 'a',
      colour: 'red',
      hideAtSeconds: 60,
    },
    ['buttonLabel', 'colour', 'currency', 'fileName', 'hideAtSeconds', 'options', 'url'],
  ],
  [
    'offer',
    {
      url: 'https://a b',
      buttonLabel: '',
      currency: 'EURO',
      priceMinor: -1,
      productRefs: [''],
      multiple: true,
    },
    ['buttonLabel', 'currency', 'multiple', 'priceMinor', 'productRefs.0', 'url'],
  ],
  ['offer', { url: 'https://example.com', buttonLabel: 'Buy', currency: 'EUR' }, ['priceMinor']],
  [
    'cta',
    { url: 'ftp://example.com', couponCode: null, headline: ' ' },
    ['buttonLabel', 'couponCode', 'headline', 'url'],
  ],
  ['poll', { url: 'https://example.com', results: 'later' }, ['options', 'results', 'url']],
  ['poll', { options: [{ label: 'One' }], multiple: 'no' }, ['multiple', 'options']],
  ['poll', { options: Array.from({ length: 11 }, () => ({ label: 'Same' })) }, ['options']],
  [
    'poll',
    { options: [{ id: 'a', label: 'A' }, { id: 'a', label: 'B' }, { label: 'C' }, { id: 'a', label: 'D' }] },
    ['options.1.id', 'options.3.id'],
  ],
  [
    'handout',
    { buttonLabel: 'Get', showAtSeconds: 1.5 },
    ['buttonLabel', 'fileName', 'showAtSeconds', 'url'],
  ],
  ['handout', { url: 7, fileName: text(256) }, ['fileName', 'url']],
  ['quiz', { headline: 3, url: 'https://example.com' }, ['headline', 'type']],
])('a new %s with %j is refused with all its problems', async (type, fields, paths) => {
  const body = { ...common, type, ...fields };
  const answer = await callRest(service, `POST /webinars/${webinar.id}/interactions`, { key, body });
  expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
  expect(issuesOf(answer)).toEqual(paths);
});

test.each([
  [{ headline: 'a\0b' }, ['headline']],
  [{ body: 'half \ud83d' }, ['body']],
  [{ url: 'https://example.com/\0' }, ['url']],
  [{ productRefs: ['\udc00'] }, ['productRefs.0']],
  [{ headline: text(201), internalName: text(101), body: text(5001) }, ['body', 'headline', 'internalName']],
  [{ url: `https://example.com/${text(2030)}` }, ['url']],
  [{ showAtSeconds: 3600 }, ['showAtSeconds']],
  [{ showAtSeconds: 1e300 }, ['showAtSeconds']],
  [{ showAtSeconds: -1, hideAtSeconds: '90' }, ['hideAtSeconds', 'showAtSeconds']],
  [{ priceMinor: 1e13, currency: 'EUR' }, ['priceMinor']],
  [{ productRefs: Array(51).fill('sku') }, ['productRefs']],
  [{ segmentId: 'first' }, ['segmentId']],
  [{ enabled: 'true', display: 'full', dismissible: null }, ['dismissible', 'display', 'enabled']],
  [
    { showWhen: Array.from({ length: 11 }, () => ({ field: 'joined', operator: 'eq', value: true })) },
    ['showWhen'],
  ],
  [{ showWhen: [{ field: 'age', operator: 'gte', value: 18 }] }, ['showWhen.0.field']],
  [{ showWhen: [{ field: 'joined', operator: 'gte', value: true }] }, ['showWhen.0.operator']],
  [{ showWhen: [{ field: 'watchedPercent', operator: 'gte', value: '50' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'utm.source', operator: 'in', value: 'mail' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'utm.source', operator: 'eq', value: 'a\0' }] }, ['showWhen.0.value']],
  [{ showWhen: [{ field: 'customFields.\0', operator: 'eq', value: 'a' }] }, ['showWhen.0.field']],
  [{ showWhen: [{ field: 'joined', operator: 'eq', value: true, or: [] }] }, ['showWhen.0.or']],
  [{ webinarId: '019aa1c2-0000-7000-8000-000000000001' }, ['webinarId']],
  [{ type: 'offer' }, ['type']],
])('an offer with %j is refused, in a create and in an update', async (fields, paths) => {
  const at = `/webinars/${webinar.id}/offers`;
  const valid = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const made = await callRest(service, `POST ${at}`, { key, body: { ...valid, ...fields } });
  expect([made.status, issuesOf(made)]).toEqual([422, paths]);
  const changed = await callRest(service, `PATCH ${at}/${offerId}`, { key, body: fields });
  expect([changed.status, issuesOf(changed)]).toEqual([422, paths]);
});

test.each([
  [{}, ['body']],
  [
    { options: [{ label: 'A' }, { label: 'B' }], fileName: 'a', url: 'https://example.com' },
    ['fileName', 'options'],
  ],
  [{ hideAtSeconds: 60, currency: 'EUR' }, ['hideAtSeconds', 'priceMinor']],
  [{ showAtSeconds: 3600, priceMinor: 5 }, ['currency', 'showAtSeconds']],
  [{ url: null, headline: null }, ['headline', 'url']],
])('an update of an offer to %j is refused with every problem of the result', async (body, paths) => {
  const at = `/webinars/${webinar.id}/interactions/${offerId}`;
  const before = await callRest(service, `GET ${at}`, { key });
  const answer = await callRest(service, `PATCH ${at}`, { key, body });
  expect([answer.status, issuesOf(answer)]).toEqual([422, paths]);
  expect((await callRest(service, `GET ${at}`, { key })).json).toStrictEqual(before.json);
});

test('an interaction is found under its own type only', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (const { type, fields } of types) {
    const body = { type, ...common, ...fields };
    const { json } = await callRest(service, `POST /webinars/${webinar.id}/interactions`, { key, body });
    for (const other of types) {
      const at = `/webinars/${webinar.id}/${other.path}/${json.data.id}`;
      const status = other.type === type ? 200 : 404;
      expect((await callRest(service, `GET ${at}`, { key })).status, at).toBe(status);
      const change = { key, body: { enabled: false } };
      expect((await callRest(service, `PATCH ${at}`, change)).status, at).toBe(status);
      if (status === 404) expect((await callRest(service, `DELETE ${at}`, { key })).status, at).toBe(404);
    }
    const list = await callRest(service, `GET /webinars/${webinar.id}/${type}s`, { key });
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual([json.data.id]);
  }
});

test('lists are newest first, in pages, and filtered by type and by enabled', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  for (let number = 0; number < 8; number += 1) {
    const { type, fields } = types[number % 4]!;
    const body = { type, ...common, ...fields, headline: `${number}`, enabled: number < 4 };
    expect((await callRest(service, `POST ${at}/interactions`, { key, body })).status).toBe(201);
  }
  const headlines = async (query: string): Promise<string> => {
    const { json } = await callRest(service, `GET ${at}/${query}`, { key });
    return json.data.map(({ headline }: { headline: string }) => headline).join('');
  };
  expect(await headlines('interactions')).toBe('76543210');
  expect(await headlines('interactions?type=poll')).toBe('62');
  expect(await headlines('interactions?enabled=true')).toBe('3210');
  expect(await headlines('interactions?type=cta&enabled=false')).toBe('5');
  expect(await headlines('offers?enabled=true')).toBe('0');

  const first = await callRest(service, `GET ${at}/interactions?enabled=false&limit=3`, { key });
  const { nextCursor } = first.json.pagination;
  expect(await headlines(`interactions?enabled=false&limit=3&cursor=${nextCursor}`)).toBe('4');
  const foreign = await callRest(service, `GET ${at}/interactions?enabled=true&cursor=${nextCursor}`, {
    key,
  });
  expect(foreign.status).toBe(400);
  for (const query of ['type=quiz', 'enabled=yes', 'kind=offer']) {
    expect((await callRest(service, `GET ${at}/interactions?${query}`, { key })).status, query).toBe(422);
  }
  expect((await callRest(service, `GET ${at}/offers?type=offer`, { key })).status).toBe(422);
});

test('an interaction of another webinar, another workspace or an archived webinar is not found', async () => {
  await using service = await testApi();
  const mine = await createTestWorld(service);
  const theirs = await createTestWorld(service);
  const other = await createTestWebinar(service, mine.accountId);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { json } = await callRest(service, `POST /webinars/${mine.webinar.id}/offers`, {
    key: mine.key,
    body,
  });
  const probe = async (key: string, webinarId: string): Promise<number[]> => {
    const one = `/webinars/${webinarId}/offers/${json.data.id}`;
    const answers = await Promise.all([
      callRest(service, `GET ${one}`, { key }),
      callRest(service, `PATCH ${one}`, { key, body: { enabled: false } }),
      callRest(service, `DELETE ${one}`, { key }),
      callRest(service, `GET /webinars/${webinarId}/interactions/${json.data.id}/stats`, { key }),
      callRest(service, `GET /webinars/${webinarId}/interactions/${json.data.id}/responses`, { key }),
    ]);
    return answers.map(({ status }) => status);
  };
  const nothing = [404, 404, 404, 404, 404];
  expect(await probe(mine.key, other.id)).toEqual(nothing);
  expect(await probe(theirs.key, mine.webinar.id)).toEqual(nothing);
  expect(await probe(theirs.key, theirs.webinar.id)).toEqual(nothing);
  await service.db.database.pool.query(`update webinars.webinar set status = 'archived' where id = $1`, [
    mine.webinar.id,
  ]);
  expect(await probe(mine.key, mine.webinar.id)).toEqual(nothing);
  const add = await callRest(service, `POST /webinars/${mine.webinar.id}/offers`, { key: mine.key, body });
  expect([add.status, add.json.code]).toEqual([404, 'webinar_not_found']);
});

test('reading and writing interactions need their own scopes', async () => {
  await using service = await testApi();
  const { accountId, webinar } = await createTestWorld(service);
  const reader = await createTestKey(service, accountId, { scopes: ['interactions:read', 'webinars:write'] });
  const writer = await createTestKey(service, accountId, { scopes: ['interactions:write', 'webinars:read'] });
  for (const path of ['interactions', 'offers', 'ctas', 'polls', 'handouts']) {
    const at = `/webinars/${webinar.id}/${path}`;
    expect((await callRest(service, `GET ${at}`, { key: reader.key })).status, at).toBe(200);
    expect((await callRest(service, `GET ${at}`, { key: writer.key })).status, at).toBe(401);
    expect((await callRest(service, `POST ${at}`, { key: reader.key, body: {} })).status, at).toBe(401);
    expect((await callRest(service, `POST ${at}`, { key: writer.key, body: {} })).status, at).toBe(422);
  }
});

test('a webinar has at most 200 interactions, also with concurrent calls', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const at = `/webinars/${webinar.id}/ctas`;
  const { json } = await callRest(service, `POST ${at}`, { key, body });
  await service.db.database.pool.query(
    `insert into webinars.interaction
     select account_id, gen_random_uuid(), webinar_id, segment_id, type, internal_name, headline, body, show_at_seconds,
            hide_at_seconds, enabled, available_in_replay, display, dismissible, show_when, details, created_at, updated_at
     from webinars.interaction, generate_series(1, 196) where id = $1`,
    [json.data.id],
  );
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => callRest(service, `POST ${at}`, { key, body })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
    Array.from({ length: 5 }, () => [409, 'interaction_limit_reached']),
  );
});

test('two concurrent updates of one offer are both kept', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { ...common, url: 'https://example.com', buttonLabel: 'Buy' };
  const { json } = await callRest(service, `POST /webinars/${webinar.id}/offers`, { key, body });
  const at = `/webinars/${webinar.id}/offers/${json.data.id}`;
  const changes = [
    { buttonLabel: 'Get it' },
    { couponCode: 'HALF' },
    { countdownSeconds: 60 },
    { priceMinor: 900, currency: 'EUR' },
    { productRefs: ['sku'] },
    { headline: 'Now' },
  ];
  await Promise.all(changes.map((change) => callRest(service, `PATCH ${at}`, { key, body: change })));
  const { data } = (await callRest(service, `GET ${at}`, { key })).json;
  expect(data).toMatchObject(Object.assign({}, ...changes));
});

test('a duplicated webinar has copies of all interactions, whose conditions name each other', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const create = async (path: string, fields: object) => {
    const body = { ...common, ...fields };
    return (await callRest(service, `POST /webinars/${webinar.id}/${path}`, { key, body })).json.data;
  };
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
  const list = async (webinarId: string) =>
    (await callRest(service, `GET /webinars/${webinarId}/interactions`, { key })).json.data;

  const duplicate = await callRest(service, `POST /webinars/${webinar.id}/duplicate`, { key, body: {} });
  const webinarId = duplicate.json.data.id;
  const copies = await list(webinarId);
  expect(copies).toHaveLength(2);
  const [offerCopy, pollCopy] = copies;
  const { createdAt, updatedAt } = offerCopy;
  expect(pollCopy).toStrictEqual({ ...poll, id: pollCopy.id, webinarId, createdAt, updatedAt });
  expect(offerCopy).toStrictEqual({
    ...offer,
    id: offerCopy.id,
    webinarId,
    showWhen: JSON.parse(JSON.stringify(offer.showWhen).replaceAll(poll.id, pollCopy.id)),
    createdAt,
    updatedAt,
  });
  expect(new Set([offer.id, poll.id, offerCopy.id, pollCopy.id]).size).toBe(4);
  expect(await list(webinar.id)).toStrictEqual([offer, poll]);
});

test('a duration too short for interactions is refused, and the error has each of them', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const at = `/webinars/${webinar.id}`;
  for (const [internalName, showAtSeconds] of [
    ['Early', 60],
    ['Late', 600],
    ['Later', 1800],
  ] as const) {
    const body = {
      internalName,
      headline: 'Look',
      showAtSeconds,
      url: 'https://example.com',
      buttonLabel: 'Go',
    };
    expect((await callRest(service, `POST ${at}/ctas`, { key, body })).status).toBe(201);
  }
  const shorten = (durationSeconds: number) =>
    callRest(service, `PATCH ${at}`, { key, body: { durationSeconds } });
  const refused = await shorten(600);
  expect([refused.status, refused.json.issues.map((issue: { path: string }) => issue.path)]).toEqual([
    422,
    ['durationSeconds', 'durationSeconds'],
  ]);
  expect(refused.text).toContain('\\"Later\\"');
  expect((await shorten(1801)).status).toBe(200);
});

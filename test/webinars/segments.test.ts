import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, testApi, type TestApi } from '../support/api.ts';
import { adaptiveIn, createAdaptive, createFork, pathsOf, type AdaptiveWorld } from './adaptive-world.ts';

/** A webinar for refused calls, which change nothing. */
let service: TestApi;
let world: AdaptiveWorld;
let ids: Record<string, string>;

beforeAll(async () => {
  service = await testApi();
  world = await createAdaptive(service);
  ids = await createFork(world);
});
afterAll(() => service[Symbol.asyncDispose]());

const absent = '0193e3a0-0000-7000-8000-000000000000';

const fullSegment = {
  key: 'prices-2026',
  title: 'Prices “now” 🎉',
  videoUrl: 'http://media.example.com/prices.m3u8?x=1',
  durationSeconds: 86_400,
  isEntry: true,
  isTerminal: true,
  canvas: { x: -120.5, y: 1_000_000 },
};

const plainSegment = { videoUrl: null, isEntry: false, isTerminal: false, canvas: { x: 0, y: 0 } };

test('a segment is returned as given, an update changes only the given fields, and a deleted segment is not found', async () => {
  const { webinarId, call } = await adaptiveIn(service, world);
  const made = await call('POST /segments', fullSegment);
  const { id, createdAt, updatedAt } = made.json.data;
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${webinarId}/segments/${id}`);
  expect(made.json.data).toStrictEqual({ id, webinarId, ...fullSegment, createdAt, updatedAt });
  expect((await call(`GET /segments/${id}`)).json).toStrictEqual(made.json);

  const changes = { title: 'Other', videoUrl: null, isEntry: false, canvas: { x: 0, y: -1 } };
  const changed = await call(`PATCH /segments/${id}`, changes);
  const expected = { ...made.json.data, ...changes, updatedAt: changed.json.data.updatedAt };
  expect(changed.json.data).toStrictEqual(expected);
  expect(changed.json.data.updatedAt > updatedAt).toBe(true);
  expect((await call(`GET /segments/${id}`)).json.data).toStrictEqual(expected);

  const plain = (await call('POST /segments', { title: 'Plain', durationSeconds: 1 })).json.data;
  expect(plain).toMatchObject({ ...plainSegment, key: 'plain', title: 'Plain', durationSeconds: 1 });

  expect((await call(`DELETE /segments/${id}`)).status).toBe(204);
  expect(codeOf(await call(`GET /segments/${id}`))).toEqual([404, 'segment_not_found']);
  expect(codeOf(await call(`DELETE /segments/${id}`))).toEqual([404, 'segment_not_found']);
});

test('a branch is returned as given, an update changes only the given fields, and a deleted branch is not found', async () => {
  const { webinarId, call, ...rest } = await adaptiveIn(service, world);
  const { intro, short, end } = await createFork({ webinarId, call, ...rest });
  const full = {
    fromSegmentId: intro,
    toSegmentId: end,
    label: 'Skip',
    priority: 1000,
    via: 'condition',
    conditions: [
      { field: 'watchedPercent', operator: 'gte', value: 50 },
      { field: 'utm.source', operator: 'in', value: ['mail', 'ads'] },
    ],
    promptText: null,
    promptAtSeconds: null,
    choiceTimeoutSeconds: 300,
  };
  const made = await call('POST /branches', full);
  const { id, createdAt, updatedAt } = made.json.data;
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${webinarId}/branches/${id}`);
  expect(made.json.data).toStrictEqual({ id, webinarId, ...full, createdAt, updatedAt });
  expect((await call(`GET /branches/${id}`)).json).toStrictEqual(made.json);

  const changes = {
    via: 'choice',
    conditions: [],
    promptText: 'End it?',
    promptAtSeconds: 59,
    fromSegmentId: short,
  };
  const changed = await call(`PATCH /branches/${id}`, changes);
  const expected = { ...made.json.data, ...changes, updatedAt: changed.json.data.updatedAt };
  expect(changed.json.data).toStrictEqual(expected);
  expect((await call(`GET /branches/${id}`)).json.data).toStrictEqual(expected);

  const plain = { fromSegmentId: intro, toSegmentId: intro, label: 'Again', via: 'choice' };
  expect((await call('POST /branches', plain)).json.data).toMatchObject({
    ...plain,
    priority: 0,
    conditions: [],
    promptText: null,
    promptAtSeconds: null,
    choiceTimeoutSeconds: 15,
  });

  expect((await call(`DELETE /branches/${id}`)).status).toBe(204);
  expect(codeOf(await call(`GET /branches/${id}`))).toEqual([404, 'branch_not_found']);
  expect(codeOf(await call(`PATCH /branches/${id}`, { label: 'x' }))).toEqual([404, 'branch_not_found']);
});

test('a missing key is made from the title, and keys are unique in a webinar', async () => {
  const { call, create } = await adaptiveIn(service, world);
  const keyOf = async (body: object) => (await create('/segments', { durationSeconds: 1, ...body }))['key'];
  expect(await keyOf({ title: 'Crème brûlée!' })).toBe('creme-brulee');
  expect(await keyOf({ title: 'Creme Brulee' })).toBe('creme-brulee-2');
  expect(await keyOf({ title: '日本語' })).toBe('segment');
  const { id } = await create('/segments', { title: 'x', key: 'own', durationSeconds: 1 });
  const taken = { title: 'x', key: 'creme-brulee', durationSeconds: 1 };
  expect(codeOf(await call('POST /segments', taken))).toEqual([409, 'segment_key_taken']);
  const rename = (key: string) => call(`PATCH /segments/${id}`, { key });
  expect(codeOf(await rename('creme-brulee'))).toEqual([409, 'segment_key_taken']);
  expect((await rename('own')).status).toBe(200);
  const other = await adaptiveIn(service, world);
  expect((await other.call('POST /segments', taken)).status).toBe(201);
});

test('lists are newest first and in pages, and a cursor of one list is refused by the other', async () => {
  const titles = async (path: string) => {
    const { data, pagination } = (await world.call(`GET ${path}`)).json;
    return { names: data.map((one: Record<string, string>) => one['title'] ?? one['label']), pagination };
  };
  const first = await titles('/segments?limit=3');
  expect(first.names).toEqual(['End', 'Long', 'Short']);
  const cursor = first.pagination.nextCursor;
  const second = await titles(`/segments?limit=3&cursor=${cursor}`);
  expect([second.names, second.pagination]).toEqual([['Intro'], { nextCursor: null, hasMore: false }]);
  expect((await titles('/branches?limit=2')).names).toEqual(['long>end', 'short>end']);
  expect(codeOf(await world.call(`GET /branches?cursor=${cursor}`))).toEqual([400, 'malformed_request']);
});

test.each<[object, string[]]>([
  [{ title: ' ', durationSeconds: 0, colour: 'red' }, ['colour', 'durationSeconds', 'title']],
  [{ durationSeconds: 86_401, isEntry: 1, isTerminal: null }, ['durationSeconds', 'isEntry', 'isTerminal']],
  [{ durationSeconds: 1.5, key: 'Not a slug' }, ['durationSeconds', 'key']],
  [{ key: 'a'.repeat(81), title: 'x'.repeat(201) }, ['key', 'title']],
  [{ videoUrl: 'ftp://example.com/a.mp4', key: null }, ['key', 'videoUrl']],
  [{ videoUrl: 'javascript:alert(1)', title: 'a\0b' }, ['title', 'videoUrl']],
  [{ canvas: { x: 1e7, y: 'top', z: 0 } }, ['canvas.x', 'canvas.y', 'canvas.z']],
  [{ canvas: { x: 0 } }, ['canvas.y']],
])(
  'a segment with %j is refused with all that is wrong, when it is made and when it is changed',
  async (fields, paths) => {
    const made = await world.call('POST /segments', { title: 'Part', durationSeconds: 60, ...fields });
    expect([made.status, pathsOf(made)]).toEqual([422, paths]);
    const changed = await world.call(`PATCH /segments/${ids['intro']}`, fields);
    expect([changed.status, pathsOf(changed)]).toEqual([422, paths]);
  },
);

const joined = { field: 'joined', operator: 'eq', value: true };

test.each<[object, string[]]>([
  [
    { label: '', priority: -1, choiceTimeoutSeconds: 0, x: 1 },
    ['choiceTimeoutSeconds', 'label', 'priority', 'x'],
  ],
  [{ priority: 0.5, choiceTimeoutSeconds: 301, via: 'magic' }, ['choiceTimeoutSeconds', 'priority', 'via']],
  [{ via: 'condition' }, ['conditions']],
  [
    { via: 'condition', conditions: [], promptText: 'Which?', label: null },
    ['conditions', 'label', 'promptText'],
  ],
  [{ via: 'choice', conditions: [joined], promptText: '' }, ['conditions', 'promptText']],
  [{ via: 'default', conditions: [joined], promptAtSeconds: 5 }, ['conditions', 'promptAtSeconds']],
  [{ via: 'condition', conditions: [{ ...joined, value: 5 }] }, ['conditions.0.value']],
  [{ via: 'condition', conditions: Array.from({ length: 21 }, () => joined) }, ['conditions']],
  [{ via: 'choice', promptAtSeconds: -1, fromSegmentId: 'intro' }, ['fromSegmentId', 'promptAtSeconds']],
])(
  'a branch with %j is refused with all that is wrong, when it is made and when it is changed',
  async (fields, paths) => {
    const valid = { fromSegmentId: ids['intro'], toSegmentId: ids['end'], label: 'Go', via: 'default' };
    const made = await world.call('POST /branches', { ...valid, ...fields });
    expect([made.status, pathsOf(made)]).toEqual([422, paths]);
    const changed = await world.call(`PATCH /branches/${ids['intro>short']}`, fields);
    expect([changed.status, pathsOf(changed)]).toEqual([422, paths]);
  },
);

test('a branch connects segments of its webinar, and its prompt is before the end of the first', async () => {
  const other = await createFork(await adaptiveIn(service, world));
  const theirs = await createFork(await createAdaptive(service));
  const tries: [object, string[]][] = [
    [{ fromSegmentId: other['intro'], toSegmentId: theirs['end'] }, ['fromSegmentId', 'toSegmentId']],
    [{ fromSegmentId: absent }, ['fromSegmentId']],
    [{ toSegmentId: absent, promptAtSeconds: 300 }, ['promptAtSeconds', 'toSegmentId']],
    [{ fromSegmentId: ids['short'], promptAtSeconds: 60 }, ['promptAtSeconds']],
  ];
  const valid = { fromSegmentId: ids['intro'], toSegmentId: ids['end'], label: 'Go', via: 'choice' };
  for (const [fields, paths] of tries) {
    const made = await world.call('POST /branches', { ...valid, ...fields });
    expect([codeOf(made), pathsOf(made)]).toEqual([[422, 'validation_failed'], paths]);
    const changed = await world.call(`PATCH /branches/${ids['intro>long']}`, fields);
    expect([codeOf(changed), pathsOf(changed)]).toEqual([[422, 'validation_failed'], paths]);
  }
  // Stored fields count too: a prompt at 200 s is not inside the short segment, and a default branch has no prompt.
  const moved = await world.call(`PATCH /branches/${ids['intro>long']}`, { fromSegmentId: ids['short'] });
  expect(pathsOf(moved)).toEqual(['promptAtSeconds']);
  const turned = await world.call(`PATCH /branches/${ids['intro>long']}`, { via: 'default' });
  expect(pathsOf(turned)).toEqual(['promptAtSeconds', 'promptText']);
});

test('an update without fields is refused', async () => {
  for (const path of [`/segments/${ids['intro']}`, `/branches/${ids['intro>long']}`]) {
    const refused = await world.call(`PATCH ${path}`, {});
    expect([codeOf(refused), pathsOf(refused)]).toEqual([[422, 'validation_failed'], ['body']]);
  }
});

test('only an adaptive webinar can get segments and branches', async () => {
  const standard = await adaptiveIn(service, world, { kind: 'standard' });
  const segment = await standard.call('POST /segments', { title: 'Part', durationSeconds: 60 });
  expect(codeOf(segment)).toEqual([409, 'webinar_not_adaptive']);
  const ends = { fromSegmentId: ids['intro'], toSegmentId: ids['end'] };
  const branch = await standard.call('POST /branches', { ...ends, label: 'Go', via: 'choice' });
  expect(codeOf(branch)).toEqual([409, 'webinar_not_adaptive']);
});

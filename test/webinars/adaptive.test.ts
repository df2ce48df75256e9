import { expect, test } from 'vitest';
import { callRest, codeOf, testApi } from '../support/api.ts';
import { adaptiveIn, createAdaptive, createFork, pathsOf, type AdaptiveWorld } from './adaptive-world.ts';

const unpublishable = [422, 'webinar_not_publishable'];

/** All segments and branches. */
const graphOf = async ({ call }: AdaptiveWorld): Promise<unknown> =>
  Promise.all(['segments', 'branches'].map(async (path) => (await call(`GET /${path}`)).json.data));

test('an adaptive webinar is published only with valid segments, and the refusal has every problem', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service, { schedule: {} });
  const empty = await world.call('POST /publish');
  expect([codeOf(empty), pathsOf(empty)]).toEqual([unpublishable, ['schedule', 'segments']]);

  const ids = await createFork(world);
  await world.call(`PATCH /segments/${ids['short']}`, { isEntry: true });
  await world.call(`DELETE /branches/${ids['intro>long']}`);
  await world.call(`PATCH /branches/${ids['long>end']}`, { via: 'choice' });
  const broken = await world.call('POST /publish');
  expect(codeOf(broken)).toEqual(unpublishable);
  expect(pathsOf(broken)).toEqual(['schedule', 'segments', `segments.${ids['long']}`]);
  const messages = broken.json.issues.map((issue: { message: string }) => issue.message).join(' ');
  expect(messages).toMatch(/"Intro", "Short".*"Long" has no default.*to the segment "Long"/);

  await world.call(`PATCH /segments/${ids['short']}`, { isEntry: false });
  await world.call(`PATCH /branches/${ids['long>end']}`, { via: 'default' });
  const way = { fromSegmentId: ids['intro'], toSegmentId: ids['long'], label: 'Go' };
  await world.create('/branches', {
    ...way,
    via: 'condition',
    conditions: [{ field: 'joined', operator: 'eq', value: true }],
  });
  await world.call('PATCH ', { schedule: { onDemand: true } });
  expect((await world.call('POST /publish')).json.data.status).toBe('published');
});

test('a change that would make a published webinar invalid is refused with every problem and rolled back', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const ids = await createFork(world);
  expect((await world.call('POST /publish')).status).toBe(200);
  const before = await graphOf(world);
  const ends = { fromSegmentId: ids['long'], toSegmentId: ids['intro'], label: 'Go' };
  const long = `segments.${ids['long']}`;
  const refused: [string, object | undefined, string[]][] = [
    ['POST /segments', { title: 'New', durationSeconds: 60, isTerminal: true, isEntry: true }, ['segments']],
    [`PATCH /segments/${ids['intro']}`, { isEntry: false }, ['segments']],
    [`PATCH /segments/${ids['long']}`, { isTerminal: true }, [long]],
    ['POST /branches', { ...ends, via: 'default' }, [long]],
    ['POST /branches', { ...ends, fromSegmentId: ids['end'], via: 'choice' }, [`segments.${ids['end']}`]],
    [`PATCH /branches/${ids['long>end']}`, { via: 'choice' }, [long]],
    [
      `PATCH /branches/${ids['intro>long']}`,
      { fromSegmentId: ids['end'], promptAtSeconds: 0 },
      [`segments.${ids['end']}`],
    ],
    [`DELETE /branches/${ids['long>end']}`, undefined, [long]],
  ];
  for (const [route, body, paths] of refused) {
    const answer = await world.call(route, body);
    expect(codeOf(answer), `${route} ${JSON.stringify(body)}`).toEqual(unpublishable);
    expect(pathsOf(answer), route).toEqual(paths);
  }
  expect(await graphOf(world)).toStrictEqual(before);

  const allowed: [string, object | undefined][] = [
    [`PATCH /segments/${ids['intro']}`, { title: 'Hello', durationSeconds: 400 }],
    ['POST /branches', { ...ends, via: 'choice' }],
    [`PATCH /branches/${ids['short>end']}`, { toSegmentId: ids['long'] }],
    [`DELETE /branches/${ids['intro>long']}`, undefined],
  ];
  for (const [route, body] of allowed)
    expect((await world.call(route, body)).status, route).toBeLessThan(300);

  const short = await adaptiveIn(service, world);
  const only = { title: 'All', durationSeconds: 60, isEntry: true, isTerminal: true };
  const { id } = await short.create('/segments', only);
  expect((await short.call('POST /publish')).status).toBe(200);
  const emptied = await short.call(`DELETE /segments/${id}`);
  expect([codeOf(emptied), pathsOf(emptied)]).toEqual([unpublishable, ['segments']]);
});

test('segments of a draft can be invalid, and a standard webinar ignores them', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const ids = await createFork(world);
  expect((await world.call(`DELETE /branches/${ids['long>end']}`)).status).toBe(204);
  expect((await world.call('PATCH ', { kind: 'standard' })).status).toBe(200);
  expect((await world.call('POST /publish')).status).toBe(200);
  expect((await world.call(`PATCH /segments/${ids['intro']}`, { isEntry: false })).status).toBe(200);

  const refused = await world.call('PATCH ', { kind: 'adaptive', title: 'Not kept' });
  expect([codeOf(refused), pathsOf(refused)]).toEqual([
    unpublishable,
    ['segments', `segments.${ids['long']}`],
  ]);
  expect(await world.get('')).toMatchObject({ kind: 'standard', title: 'Adaptive' });

  const standing = [`PATCH /segments/${ids['intro']}`, `PATCH /segments/${ids['long']}`];
  for (const route of standing)
    await world.call(route, {
      isEntry: route.includes(ids['intro']!),
      isTerminal: route.includes(ids['long']!),
    });
  expect((await world.call('PATCH ', { kind: 'adaptive' })).json.data.kind).toBe('adaptive');
});

test('a duplicate has copies of the segments and branches, which name each other and the copied interactions', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const ids = await createFork(world);
  const cta = { internalName: 'CTA', headline: 'Look', url: 'https://example.com', buttonLabel: 'Go' };
  const { id: ctaId } = await world.create('/ctas', { ...cta, showAtSeconds: 599, segmentId: ids['long'] });
  const clicked = { field: 'clickedInteraction', operator: 'in', value: [ctaId] };
  const ends = { fromSegmentId: ids['long'], toSegmentId: ids['intro'] };
  await world.create('/branches', { ...ends, label: 'back', via: 'condition', conditions: [clicked] });

  const { webinarId, key } = world;
  const { json } = await callRest(service, `POST /webinars/${webinarId}/duplicate`, { key, body: {} });
  const list = async (id: string, path: string) =>
    (await callRest(service, `GET /webinars/${id}/${path}`, { key })).json.data;
  const copyIds = new Map([[webinarId, json.data.id]]);
  const originals: object[] = [];
  const copies: object[] = [];
  for (const path of ['segments', 'branches', 'interactions']) {
    const [before, after] = [await list(webinarId, path), await list(json.data.id, path)];
    before.forEach((one: { id: string }, index: number) => copyIds.set(one.id, after[index].id));
    originals.push(...before);
    copies.push(...after);
  }
  expect(copies).toHaveLength(4 + 5 + 1);
  const translated = JSON.stringify(originals).replaceAll(/[0-9a-f-]{36}/g, (id) => copyIds.get(id) ?? id);
  const withoutTimes = (records: object[]) =>
    records.map((record) => ({ ...record, createdAt: undefined, updatedAt: undefined }));
  expect(withoutTimes(copies)).toEqual(withoutTimes(JSON.parse(translated)));
  expect(new Set([...copyIds.keys(), ...copyIds.values()]).size).toBe(copyIds.size * 2);
  const publish = await callRest(service, `POST /webinars/${json.data.id}/publish`, { key });
  expect(publish.json.data).toMatchObject({ kind: 'adaptive', status: 'published' });
});

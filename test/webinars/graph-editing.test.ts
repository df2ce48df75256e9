import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { openDashboard, refusalOf, type DashboardClient } from '../support/dashboard.ts';
import { adaptiveIn, createAdaptive, createFork, type AdaptiveWorld } from './adaptive-world.ts';

let service: TestApi;
let world: AdaptiveWorld;
let dashboard: DashboardClient;
beforeAll(async () => {
  service = await testApi();
  world = await createAdaptive(service);
  dashboard = await openDashboard(service, world);
});
afterAll(() => service[Symbol.asyncDispose]());

const listOf = async ({ call }: AdaptiveWorld, path: string) =>
  (await call(`GET ${path}?limit=100`)).json.data;

test('each problem of a draft names its segment, and a repaired graph has none', async () => {
  const draft = await adaptiveIn(service, world);
  const { webinarId } = draft;
  const problems = () => dashboard.query('segments.problems', { webinarId });
  expect(await problems()).toMatchObject([{ segmentId: null, branchId: null, path: 'segments' }]);
  const ids = await createFork(draft);
  expect(await problems()).toEqual([]);
  await draft.call(`DELETE /branches/${ids['intro>long']}`);
  await draft.call(`DELETE /branches/${ids['short>end']}`);
  expect(await problems()).toMatchObject([
    { segmentId: ids['short'], message: expect.stringContaining('no default branch') },
    { segmentId: ids['long'], message: expect.stringContaining('No path leads') },
    { segmentId: ids['end'], message: expect.stringContaining('No path leads') },
  ]);
});

test('a segment is deleted with its branches, and its interactions stay without a segment', async () => {
  const draft = await adaptiveIn(service, world);
  const ids = await createFork(draft);
  const offer = { type: 'cta', url: 'https://shop.example/', buttonLabel: 'Buy', segmentId: ids['long'] };
  const interactionId = await draft.interaction(offer);
  await dashboard.mutate('segments.deleteWithBranches', {
    webinarId: draft.webinarId,
    segmentId: ids['long'],
  });
  const branches: { label: string }[] = await listOf(draft, '/branches');
  expect(branches.map(({ label }) => label).toSorted()).toEqual(['intro>short', 'short>end']);
  expect((await draft.call(`GET /interactions/${interactionId}`)).json.data.segmentId).toBeNull();
});

test('in a published webinar a deletion that would strand viewers is refused as a whole', async () => {
  const published = await adaptiveIn(service, world);
  const ids = await createFork(published);
  await published.publish();
  const { webinarId } = published;
  const remove = (segmentId: string | undefined) =>
    refusalOf(dashboard.mutate('segments.deleteWithBranches', { webinarId, segmentId }));
  expect(await remove(ids['short'])).toBe('webinar_not_publishable');
  expect(await listOf(published, '/branches')).toHaveLength(4);
  // The choice that leads to it is not needed: the default branch stays.
  expect(await remove(ids['long'])).toBe('accepted');
});

test('a published webinar gets another entry in one change', async () => {
  const published = await adaptiveIn(service, world);
  const ids = await createFork(published);
  await published.publish();
  const { webinarId } = published;
  await dashboard.mutate('segments.makeEntry', { webinarId, segmentId: ids['short'] });
  const segments: { id: string; isEntry: boolean }[] = await listOf(published, '/segments');
  expect(segments.filter(({ isEntry }) => isEntry).map(({ id }) => id)).toEqual([ids['short']]);
});

test('branches are ordered as named, those not named follow, and a branch of another segment is refused', async () => {
  const draft = await adaptiveIn(service, world);
  const ids = await createFork(draft);
  const { webinarId } = draft;
  const segmentId = ids['intro'];
  const ends = { fromSegmentId: segmentId, toSegmentId: ids['end'], via: 'choice' };
  const skip = (await draft.create('/branches', { ...ends, label: 'Skip' }))['id'];
  const order = (...branchIds: unknown[]) =>
    dashboard.mutate('segments.orderBranches', { webinarId, segmentId, branchIds });
  const ordered: { id: string; priority: number }[] = await order(skip, ids['intro>long']);
  expect(ordered.map(({ id, priority }) => [id, priority])).toEqual([
    [skip, 0],
    [ids['intro>long'], 1],
    [ids['intro>short'], 2],
  ]);
  expect(await refusalOf(order(ids['short>end']))).toBe('branch_not_found');
});

test('another workspace finds neither the webinar nor its segments', async () => {
  const draft = await adaptiveIn(service, world);
  const ids = await createFork(draft);
  const stranger = await createAdaptive(service);
  const foreign = await openDashboard(service, stranger);
  const segmentId = ids['intro'];
  const codes = async (webinarId: string) => [
    await refusalOf(foreign.mutate('segments.deleteWithBranches', { webinarId, segmentId })),
    await refusalOf(foreign.mutate('segments.makeEntry', { webinarId, segmentId })),
    await refusalOf(
      foreign.mutate('segments.orderBranches', { webinarId, segmentId, branchIds: [ids['intro>long']] }),
    ),
  ];
  const noWebinar = ['webinar_not_found', 'webinar_not_found', 'webinar_not_found'];
  const noSegment = ['segment_not_found', 'segment_not_found', 'segment_not_found'];
  expect(await codes(draft.webinarId)).toEqual(noWebinar);
  expect(await codes(stranger.webinarId)).toEqual(noSegment);
  expect(await refusalOf(foreign.query('segments.problems', { webinarId: draft.webinarId }))).toBe(
    'webinar_not_found',
  );
  expect(await listOf(draft, '/segments')).toHaveLength(4);
});

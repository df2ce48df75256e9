// Segments with interactions, and concurrent changes of segments.
import { expect, test } from 'vitest';
import { codeOf, testApi } from '../support/api.ts';
import { adaptiveIn, createAdaptive, createFork, pathsOf, type AdaptiveWorld } from './adaptive-world.ts';

const cta = { internalName: 'CTA', headline: 'Look', url: 'https://example.com', buttonLabel: 'Go' };

const refusedAt = async (paths: string[], answer: ReturnType<AdaptiveWorld['call']>): Promise<void> => {
  expect([codeOf(await answer), pathsOf(await answer)]).toEqual([[422, 'validation_failed'], paths]);
};

test('an interaction belongs to a segment of its webinar and is shown before that segment’s end', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service, { durationSeconds: 500 });
  const { call, create } = world;
  const { intro, long, short } = await createFork(world);
  const elsewhere = (await createFork(await adaptiveIn(service, world)))['intro'];
  const foreign = (await createFork(await createAdaptive(service)))['intro'];
  const add = (fields: object) => call('POST /ctas', { ...cta, ...fields });

  for (const segmentId of [elsewhere, foreign, '0193e3a0-0000-7000-8000-000000000000'])
    await refusedAt(['segmentId'], add({ segmentId, showAtSeconds: 0 }));
  await refusedAt(['showAtSeconds'], add({ segmentId: short, showAtSeconds: 60 }));
  await refusedAt(['showAtSeconds'], add({ segmentId: null, showAtSeconds: 500 }));
  await refusedAt(['showAtSeconds'], add({ showAtSeconds: 599 }));
  const { id } = await create('/ctas', { ...cta, segmentId: long, showAtSeconds: 599 });

  const change = (fields: object) => call(`PATCH /ctas/${id}`, fields);
  await refusedAt(['segmentId'], change({ segmentId: elsewhere }));
  await refusedAt(['showAtSeconds'], change({ segmentId: intro }));
  await refusedAt(['showAtSeconds'], change({ segmentId: null }));
  await refusedAt(['showAtSeconds'], change({ showAtSeconds: 600 }));
  await refusedAt(
    ['buttonLabel', 'segmentId'],
    call(`PATCH /interactions/${id}`, { segmentId: 'x', buttonLabel: '' }),
  );
  expect((await change({ segmentId: intro, showAtSeconds: 299 })).json.data).toMatchObject({
    segmentId: intro,
  });
  expect((await change({ segmentId: null })).json.data).toMatchObject({
    segmentId: null,
    showAtSeconds: 299,
  });
});

test('a duration too short for the segment’s interactions and choices is refused, and the error has each of them', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const ids = await createFork(world);
  await world.create('/ctas', { ...cta, internalName: 'Late', segmentId: ids['intro'], showAtSeconds: 250 });
  await world.create('/ctas', { ...cta, internalName: 'Other', segmentId: ids['long'], showAtSeconds: 500 });
  await world.create('/ctas', { ...cta, internalName: 'Loose', showAtSeconds: 1000 });
  const shorten = (durationSeconds: number) =>
    world.call(`PATCH /segments/${ids['intro']}`, { durationSeconds });
  const refused = await shorten(200);
  await refusedAt(['durationSeconds'], shorten(200));
  expect(refused.json.issues.map((issue: { message: string }) => issue.message)).toEqual([
    expect.stringContaining('"Late"'),
    expect.stringContaining('"intro>long"'),
  ]);
  await refusedAt(['durationSeconds'], shorten(250));
  expect((await shorten(251)).status).toBe(200);

  // The webinar's duration does not limit interactions of a segment.
  await refusedAt(['durationSeconds'], world.call('PATCH ', { durationSeconds: 1000 }));
  const loose = (await world.call('GET /ctas')).json.data[0];
  await world.call(`DELETE /ctas/${loose.id}`);
  expect((await world.call('PATCH ', { durationSeconds: 60 })).status).toBe(200);
});

test('a segment that a branch uses is not deleted, and interactions of a deleted segment belong to none', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const { call, create } = world;
  const ids = await createFork(world);
  const inLong = await create('/ctas', { ...cta, segmentId: ids['long'], showAtSeconds: 1 });
  const inIntro = await create('/ctas', { ...cta, segmentId: ids['intro'], showAtSeconds: 1 });
  const remove = (name: string) => call(`DELETE /segments/${ids[name]}`);
  // No branch leads to the first one, and none leaves the second.
  for (const used of ['intro', 'end', 'long'])
    expect(codeOf(await remove(used)), used).toEqual([409, 'segment_in_use']);
  await call(`DELETE /branches/${ids['intro>long']}`);
  await call(`DELETE /branches/${ids['long>end']}`);
  expect((await remove('long')).status).toBe(204);
  const segmentOf = async (id: string | undefined) => (await call(`GET /ctas/${id}`)).json.data.segmentId;
  expect([await segmentOf(inLong['id']), await segmentOf(inIntro['id'])]).toEqual([null, ids['intro']]);
});

test('an interaction that lost its segment can be switched off although the webinar is shorter', async () => {
  await using service = await testApi();
  const { call, create } = await createAdaptive(service, { durationSeconds: 60 });
  const segment = { title: 'Long', videoUrl: 'https://media.example/long.mp4', durationSeconds: 900 };
  const { id: segmentId } = await create('/segments', segment);
  const { id } = await create('/ctas', { ...cta, segmentId, showAtSeconds: 600 });
  expect((await call(`DELETE /segments/${segmentId}`)).status).toBe(204);
  const change = (fields: object) => call(`PATCH /ctas/${id}`, fields);
  expect((await change({ enabled: false })).json.data).toMatchObject({ enabled: false, segmentId: null });
  await refusedAt(['showAtSeconds'], change({ showAtSeconds: 599 }));
});

test('a webinar has at most 50 segments with unique keys and 200 branches, also with concurrent calls', async () => {
  await using service = await testApi();
  const { webinarId, call, create } = await createAdaptive(service);
  const { pool } = service.db.database;
  const { id } = await create('/segments', { title: 'Part', durationSeconds: 60 });
  await pool.query(
    `insert into webinars.segment
     select account_id, gen_random_uuid(), webinar_id, 'x' || n, title, video_url, duration_seconds, is_entry, is_terminal,
            canvas, created_at, updated_at
     from webinars.segment, generate_series(1, 45) as n where id = $1`,
    [id],
  );
  const loop = { fromSegmentId: id, toSegmentId: id, label: 'Again', via: 'choice' };
  const branch = await create('/branches', loop);
  await pool.query(
    `insert into webinars.branch
     select account_id, gen_random_uuid(), webinar_id, from_segment_id, to_segment_id, label, priority, via, conditions,
            prompt_text, prompt_at_seconds, choice_timeout_seconds, created_at, updated_at
     from webinars.branch, generate_series(1, 196) where id = $1`,
    [branch['id']],
  );
  const eight = async (path: string, body: object) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(`POST ${path}`, body)));
    return answers.map(codeOf).filter(([status]) => status !== 201);
  };
  const refused = (length: number, code: string) => Array.from({ length }, () => [409, code]);
  expect(await eight('/segments', { title: 'Part', durationSeconds: 60 })).toEqual(
    refused(4, 'segment_limit_reached'),
  );
  expect(await eight('/branches', loop)).toEqual(refused(5, 'branch_limit_reached'));
  const { rows } = await pool.query(
    `select array_agg(key order by key) as keys from webinars.segment where webinar_id = $1 and key like 'part%'`,
    [webinarId],
  );
  expect(rows[0].keys).toEqual(['part', 'part-2', 'part-3', 'part-4', 'part-5']);
});

test('of two concurrent changes that are valid alone but not together, the second is refused', async () => {
  await using service = await testApi();
  const world = await createAdaptive(service);
  const ids = await createFork(world);
  expect((await world.call('POST /publish')).status).toBe(200);
  const pairs = await Promise.all(
    Array.from({ length: 4 }, async (_unused, index) => {
      const { id } = await world.create('/segments', { title: `New ${index}`, durationSeconds: 60 });
      const out = { fromSegmentId: id, toSegmentId: ids['end'], label: 'Out', via: 'default' };
      const { id: wayOut } = await world.create('/branches', out);
      return { wayOut, into: { fromSegmentId: ids['intro'], toSegmentId: id } };
    }),
  );
  const answers = await Promise.all(
    pairs.flatMap(({ wayOut, into }) => [
      world.call(`DELETE /branches/${wayOut}`),
      world.call('POST /branches', { ...into, label: 'In', via: 'choice' }),
    ]),
  );
  for (const [index] of pairs.entries()) {
    const statuses = answers.slice(index * 2, index * 2 + 2).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(1);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
  }
});

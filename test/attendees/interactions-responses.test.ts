import { createId } from '@service/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type callRest, type TestApi, type TestWorld } from '../support/api.ts';

const common = { internalName: 'Internal', headline: 'Look', showAtSeconds: 60 };

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Below the webinar. */
const call = (route: string, body?: unknown) => world.call(route, body);

const create = async (path: string, fields: object): Promise<{ id: string; at: string }> => {
  const { id } = (await call(`POST /${path}`, { ...common, ...fields })).json.data;
  return { id, at: `/${path}/${id}` };
};

const createPoll = () =>
  create('polls', {
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
  });

const createOffer = () => create('offers', { url: 'https://example.com', buttonLabel: 'Buy' });

interface Occurrence {
  type: string;
  data: Record<string, unknown>;
  registrationId?: string;
  accountId?: string;
}

/** Writes events like the room does, the oldest first. */
async function happen(occurrences: Occurrence[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { type, data, registrationId = createId(), accountId = world.accountId } of occurrences) {
    const id = createId();
    await service.db.database.pool.query(
      `insert into attendees.attendee_event
         (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
       values ($1, $2, $3, $4, $5, $6, '2026-11-20T12:00:00.123Z', $7)`,
      [accountId, id, world.webinar.id, createId(), registrationId, type, data],
    );
    ids.push(id);
  }
  return ids;
}

const idsOf = (answer: Awaited<ReturnType<typeof callRest>>): string[] =>
  answer.json.data.map(({ id }: { id: string }) => id);

test('answers to a poll are listed newest first with what was chosen, page after page', async () => {
  const poll = await createPoll();
  const other = await createPoll();
  const interactionId = poll.id;
  const registrationId = createId();
  const ids = await happen([
    {
      type: 'poll_response',
      data: { interactionId, optionId: 'yes', selectedOption: 'Yes' },
      registrationId,
    },
    { type: 'poll_response', data: { interactionId: other.id, optionId: 'yes', selectedOption: 'Yes' } },
    { type: 'poll_response', data: { interactionId, optionId: 'gone', selectedOption: 'A former option' } },
    { type: 'interaction_view', data: { interactionId } },
    { type: 'poll_response', data: { interactionId, optionId: 'no' } },
    { type: 'registered', data: { interactionId } },
  ]);
  const mine = [ids[4], ids[2], ids[0]];
  const all = await call(`GET ${poll.at}/responses`);
  expect(idsOf(all)).toEqual(mine);
  expect(all.json.data[2]).toStrictEqual({
    id: ids[0],
    registrationId,
    sessionId: expect.any(String),
    optionId: 'yes',
    selectedOption: 'Yes',
    answeredAt: '2026-11-20T12:00:00.123Z',
  });
  expect(all.json.data[1].selectedOption).toBe('A former option');
  expect(all.json.data[0].selectedOption).toBe('No');

  const path = `/interactions/${poll.id}/responses`;
  const first = await call(`GET ${path}?limit=2`);
  expect(idsOf(first)).toEqual(mine.slice(0, 2));
  const { nextCursor } = first.json.pagination;
  const second = await call(`GET ${path}?limit=2&cursor=${nextCursor}`);
  expect(idsOf(second)).toEqual(mine.slice(2));
  expect(second.json.pagination).toEqual({ nextCursor: null, hasMore: false });
  expect((await call(`GET ${other.at}/responses?cursor=${nextCursor}`)).status).toBe(400);
});

test('clicks on an offer are its responses, and are not answers to a poll', async () => {
  const offer = await createOffer();
  const [click] = await happen([
    { type: 'cta_click', data: { interactionId: offer.id, offerId: offer.id } },
    { type: 'interaction_view', data: { interactionId: offer.id } },
  ]);
  const path = `/interactions/${offer.id}`;
  const { json } = await call(`GET ${path}/responses`);
  expect(json.data).toMatchObject([{ id: click, optionId: null, selectedOption: null }]);
  const asPoll = await call(`GET /polls/${offer.id}/responses`);
  expect(asPoll.status).toBe(404);
});

test('stats count events, each clicking registration once, and an option without answers as zero', async () => {
  const poll = await createPoll();
  const offer = await createOffer();
  const registrationId = createId();
  await happen([
    ...[1, 2, 3, 4].map(() => ({ type: 'interaction_view', data: { interactionId: offer.id } })),
    { type: 'cta_click', data: { interactionId: offer.id }, registrationId },
    { type: 'cta_click', data: { interactionId: offer.id }, registrationId },
    { type: 'cta_click', data: { interactionId: offer.id } },
    { type: 'poll_response', data: { interactionId: poll.id, optionId: 'no' } },
    { type: 'poll_response', data: { interactionId: poll.id, optionId: 'no' } },
    { type: 'poll_response', data: { interactionId: poll.id, optionId: 'gone' } },
  ]);
  const stats = async (id: string) => (await call(`GET /interactions/${id}/stats`)).json.data;
  const none = { views: 0, clicks: 0, uniqueClickers: 0, responses: 0, options: [] };
  expect(await stats(offer.id)).toEqual({ ...none, views: 4, clicks: 3, uniqueClickers: 2 });
  expect(await stats(poll.id)).toEqual({
    ...none,
    responses: 3,
    options: [
      { id: 'yes', label: 'Yes', count: 0 },
      { id: 'no', label: 'No', count: 2 },
    ],
  });
});

test('downloads of a handout are its responses and clicks, together with those that were recorded as clicks before', async () => {
  const handout = await create('handouts', { url: 'https://example.com', fileName: 'a.pdf' });
  const registrationId = createId();
  const data = { interactionId: handout.id };
  const ids = await happen([
    { type: 'cta_click', data, registrationId },
    { type: 'handout_download', data, registrationId },
    { type: 'cta_click', data },
    { type: 'handout_download', data },
    { type: 'handout_download', data: { interactionId: createId() } },
  ]);
  const mine = ids.slice(0, 4).toReversed();
  const path = `/interactions/${handout.id}`;
  const first = await call(`GET ${path}/responses?limit=3`);
  expect(idsOf(first)).toEqual(mine.slice(0, 3));
  const second = await call(`GET ${path}/responses?limit=3&cursor=${first.json.pagination.nextCursor}`);
  expect(idsOf(second)).toEqual(mine.slice(3));
  const stats = (await call(`GET ${path}/stats`)).json.data;
  expect(stats).toMatchObject({ clicks: 4, uniqueClickers: 3 });
});

test('events of another workspace with the same interaction id are neither listed nor counted', async () => {
  const offer = await createOffer();
  await happen([{ type: 'cta_click', data: { interactionId: offer.id }, accountId: createId() }]);
  const path = `/interactions/${offer.id}`;
  expect((await call(`GET ${path}/responses`)).json.data).toEqual([]);
  expect((await call(`GET ${path}/stats`)).json.data.clicks).toBe(0);
});

test.each([
  ['poll_response', /Index Cond: .*'interactionId'.*type.*id </],
  ['handout_download', /Index Cond: .*'interactionId'.*id </],
])('reading %s uses an index, in the order of the page', async (type, condition) => {
  const client = await service.db.database.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query(
      `explain select id from attendees.attendee_event
       where account_id = $1 and data ->> 'interactionId' = $2 and type = '${type}' and id < $3
       order by id desc limit 26`,
      [world.accountId, createId(), createId()],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan Backward/);
    expect(plan).toMatch(condition);
    expect(plan).not.toContain('Sort  ');
  } finally {
    client.release(true);
  }
});

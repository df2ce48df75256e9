import { randomUUID } from 'node:crypto';
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

type Query = Parameters<DeliveryWorld['deliveries']['list']>[1];

interface Kind {
  endpointId: string;
  registrationId?: string;
  eventType?: string;
  /** The answer to the last try; null for none, undefined for a delivery that was not tried. */
  code?: number | null;
  /** At its end, or in the queue. */
  status: 'success' | 'failure' | 'retrying' | 'queued';
  accountId?: string;
}

/** Inserts deliveries of the last minutes, oldest first. Returns their ids. */
async function insert(world: DeliveryWorld, kinds: readonly Kind[]): Promise<string[]> {
  const { pool } = world.database;
  const ids: string[] = [];
  for (const kind of kinds) {
    const { accountId = world.accountId, eventType = 'registered', endpointId, status, code } = kind;
    const id = createId();
    ids.push(id);
    await pool.query(
      `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at,
         ended_as, registration_id)
       values ($1, $2, $3, $4, '{}', false, 3, now(), $5, $6)`,
      [id, accountId, endpointId, eventType, status === 'failure' ? status : null, kind.registrationId],
    );
    if (status === 'retrying' || status === 'queued')
      await pool.query(
        `insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
         values ($1, $2, $3, now() + interval '1 hour', $4, $4)`,
        [id, accountId, endpointId, code === undefined ? 0 : 2],
      );
    if (code === undefined) continue;
    // The last try counts, not the one before.
    await pool.query(
      `insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code, failure)
       values ($1, 1, $2, '', now(), 10, 418, 'http_status'), ($1, 2, $2, '', now(), 20, $3, $4)`,
      [id, accountId, code, status === 'success' ? null : code === null ? 'timeout' : 'http_status'],
    );
  }
  return ids;
}

async function idsOf(world: DeliveryWorld, query: Omit<Query, 'limit'>, limit = 100): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.deliveries.list(world.reader(), { limit, cursor, ...query });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

test('deliveries are found by the answer to their last try, in every status, of an endpoint and of the account', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const stranger = { endpointId, accountId: randomUUID(), code: 500, status: 'failure' } as const;
  const ids = await insert(world, [
    { endpointId, status: 'success', code: 200 },
    { endpointId, status: 'success', code: 204 },
    { endpointId, status: 'failure', code: 500 },
    { endpointId, status: 'failure', code: null },
    { endpointId, status: 'retrying', code: 503 },
    { endpointId, status: 'retrying', code: null },
    { endpointId, status: 'queued' },
    stranger,
  ]);
  const at = (...indexes: number[]): string[] => indexes.map((index) => ids[index]!);
  const cases: [Omit<Query, 'limit'>, string[]][] = [
    [{}, at(6, 5, 4, 3, 2, 1, 0)],
    [{ responseCode: '200' }, at(0)],
    [{ responseCode: '2xx' }, at(1, 0)],
    [{ responseCode: '5xx' }, at(4, 2)],
    [{ responseCode: '4xx' }, []],
    [{ responseCode: 'none' }, at(5, 3)],
    [{ responseCode: '5xx', status: 'retrying' }, at(4)],
    [{ responseCode: 'none', status: 'retrying' }, at(5)],
    [{ responseCode: '5xx', status: 'failure' }, at(2)],
    [{ responseCode: '204', status: 'success' }, at(1)],
    [{ responseCode: 'none', status: 'queued' }, []],
    [{ status: 'queued' }, at(6)],
    [{ status: 'success' }, at(1, 0)],
    [{ status: 'failure' }, at(3, 2)],
  ];
  for (const scope of [{ endpointId }, { endpointIds: [endpointId], group: 'g' }, {}])
    for (const [filters, expected] of cases)
      for (const limit of [1, 100])
        expect(
          await idsOf(world, { ...scope, ...filters }, limit),
          JSON.stringify({ scope, filters, limit }),
        ).toEqual(expected);
});

test('the deliveries of a registration are found over all endpoints, or for one of them', async () => {
  await using world = await createDeliveryWorld();
  const one = (await world.createEndpoint('https://example.com/')).endpointId;
  const two = (await world.createEndpoint('https://example.com/')).endpointId;
  const [ada, bob] = [createId(), createId()];
  const ids = await insert(world, [
    { endpointId: one, registrationId: ada, status: 'success', code: 200 },
    { endpointId: one, registrationId: bob, status: 'success', code: 200 },
    { endpointId: two, registrationId: ada, status: 'failure', code: 500, eventType: 'joined' },
    { endpointId: two, registrationId: ada, status: 'retrying', code: 500 },
    { endpointId: two, status: 'retrying', code: 500 },
    { endpointId: two, registrationId: ada, status: 'failure', code: 500, accountId: randomUUID() },
  ]);
  const at = (...indexes: number[]): string[] => indexes.map((index) => ids[index]!);
  for (const [filters, expected] of [
    [{}, at(3, 2, 0)],
    [{ endpointId: two }, at(3, 2)],
    [{ endpointIds: [one] }, at(0)],
    [{ eventType: 'joined' }, at(2)],
    [{ status: 'retrying' }, at(3)],
    [{ status: 'retrying', endpointId: one }, []],
    [{ responseCode: '5xx' }, at(3, 2)],
    [{ status: 'failure' }, at(2)],
  ] as const)
    expect(await idsOf(world, { registrationId: ada, ...filters }), JSON.stringify(filters)).toEqual(
      expected,
    );
});

test('several endpoints are searched side by side, and pages miss nothing when one of them has much more than the others', async () => {
  await using world = await createDeliveryWorld();
  const endpoints: string[] = [];
  for (let count = 0; count < 3; count += 1)
    endpoints.push((await world.createEndpoint('https://example.com/')).endpointId);
  const [busy, calm, other] = endpoints as [string, string, string];
  const first = await insert(world, [
    { endpointId: calm, status: 'failure', code: 404 },
    { endpointId: busy, status: 'failure', code: 404 },
    { endpointId: other, status: 'failure', code: 404 },
  ]);
  const many = Array.from({ length: 3000 }, () => createId());
  await world.database.pool.query(
    `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
     select id, $2, $3, 'registered', '{}', false, 3, now() from unnest($1::uuid[]) as id`,
    [many, world.accountId, busy],
  );
  const last = await insert(world, [
    { endpointId: calm, status: 'failure', code: 404 },
    { endpointId: busy, status: 'failure', code: 404 },
  ]);
  const endpointIds = [busy, calm];
  const all = [...many, ...first.slice(0, 2), ...last].toSorted().toReversed();
  expect(await idsOf(world, { endpointIds, group: 'w' })).toEqual(all);
  const failed = [last[1], last[0], first[1], first[0]];
  expect(await idsOf(world, { endpointIds, group: 'w', responseCode: '404' }, 2)).toEqual(failed);
  expect(await idsOf(world, { endpointIds, group: 'w', status: 'failure' }, 3)).toEqual(failed);
  expect(await idsOf(world, { endpointIds: [] })).toEqual([]);
});

test('a cursor of a webinar stays valid when an endpoint is added, and is refused for another one', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const second = await world.createEndpoint('https://example.com/');
  const [oldest] = await insert(world, [
    { endpointId, status: 'queued' },
    { endpointId, status: 'queued' },
  ]);
  const list = (query: Omit<Query, 'limit'>) => world.deliveries.list(world.reader(), { limit: 1, ...query });
  const first = await list({ endpointIds: [endpointId], group: 'w' });
  const cursor = first.pagination.nextCursor!;
  const next = await list({ endpointIds: [endpointId, second.endpointId], group: 'w', cursor });
  expect(next.data.map(({ id }) => id)).toEqual([oldest]);
  await expect(list({ endpointIds: [endpointId], group: 'v', cursor })).rejects.toMatchObject({
    code: 'malformed_request',
  });
});

test('a rare answer among many waiting deliveries is found page by page', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const [rare] = await insert(world, [{ endpointId, status: 'retrying', code: 503 }]);
  const many = Array.from({ length: 6000 }, () => createId());
  const values = [many, world.accountId, endpointId];
  await world.database.pool.query(
    `with queued as (
       insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
       select id, $2, $3, now() + interval '1 hour', 1, 1 from unnest($1::uuid[]) as id)
     insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
     select id, $2, $3, 'registered', '{}', false, 3, now() from unnest($1::uuid[]) as id`,
    values,
  );
  const query = { responseCode: '5xx', status: 'retrying', limit: 10 } as const;
  const first = await world.deliveries.list(world.reader(), query);
  expect(first.data).toEqual([]);
  const cursor = first.pagination.nextCursor!;
  const next = await world.deliveries.list(world.reader(), { ...query, cursor });
  expect(next.data.map(({ id }) => id)).toEqual([rare]);
  expect(next.pagination.hasMore).toBe(false);
});

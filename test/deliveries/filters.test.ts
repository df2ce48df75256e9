import { randomUUID } from 'node:crypto';
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { insertHistory, type HistoryRow } from './history-rows.ts';

type Query = Parameters<DeliveryWorld['deliveries']['list']>[1];

/** Inserts deliveries of this moment, oldest first. Returns their ids. */
const insert = (world: DeliveryWorld, kinds: readonly Omit<HistoryRow, 'at'>[]): Promise<string[]> =>
  insertHistory(
    world,
    kinds.map((kind) => ({ ...kind, at: new Date() })),
  );

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
  const stranger = { endpointId, accountId: randomUUID(), code: 500, state: 'failure' } as const;
  const ids = await insert(world, [
    { endpointId, state: 'success', code: 200 },
    { endpointId, state: 'success', code: 204 },
    { endpointId, state: 'failure', code: 500 },
    { endpointId, state: 'failure', code: null },
    { endpointId, state: 'retrying', code: 503 },
    { endpointId, state: 'retrying', code: null },
    { endpointId, state: 'queued' },
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
    { endpointId: one, registrationId: ada, state: 'success', code: 200 },
    { endpointId: one, registrationId: bob, state: 'success', code: 200 },
    { endpointId: two, registrationId: ada, state: 'failure', code: 500, eventType: 'joined' },
    { endpointId: two, registrationId: ada, state: 'retrying', code: 500 },
    { endpointId: two, state: 'retrying', code: 500 },
    { endpointId: two, registrationId: ada, state: 'failure', code: 500, accountId: randomUUID() },
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
    { endpointId: calm, state: 'failure', code: 404 },
    { endpointId: busy, state: 'failure', code: 404 },
    { endpointId: other, state: 'failure', code: 404 },
  ]);
  const many = Array.from({ length: 3000 }, () => createId());
  await world.database.pool.query(
    `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
     select id, $2, $3, 'registered', '{}', false, 3, now() from unnest($1::uuid[]) as id`,
    [many, world.accountId, busy],
  );
  const last = await insert(world, [
    { endpointId: calm, state: 'failure', code: 404 },
    { endpointId: busy, state: 'failure', code: 404 },
  ]);
  const endpointIds = [busy, calm];
  const all = [...many, ...first.slice(0, 2), ...last].toSorted().toReversed();
  expect(await idsOf(world, { endpointIds, group: 'w' })).toEqual(all);
  const failed = [last[1], last[0], first[1], first[0]];
  expect(await idsOf(world, { endpointIds, group: 'w', responseCode: '404' }, 2)).toEqual(failed);
  expect(await idsOf(world, { endpointIds, group: 'w', status: 'failure' }, 3)).toEqual(failed);
  expect(await idsOf(world, { endpointIds: [] })).toEqual([]);
});

test('a cursor of a webinar stays valid when an endpoint is added, and is refused for another one, as that of an endpoint is', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const second = await world.createEndpoint('https://example.com/');
  const [oldest] = await insert(world, [
    { endpointId, state: 'queued' },
    { endpointId, state: 'queued' },
  ]);
  const list = (query: Omit<Query, 'limit'>) => world.deliveries.list(world.reader(), { limit: 1, ...query });
  const first = await list({ endpointIds: [endpointId], group: 'w' });
  const cursor = first.pagination.nextCursor!;
  const next = await list({ endpointIds: [endpointId, second.endpointId], group: 'w', cursor });
  expect(next.data.map(({ id }) => id)).toEqual([oldest]);
  await expect(list({ endpointIds: [endpointId], group: 'v', cursor })).rejects.toMatchObject({
    code: 'malformed_request',
  });
  const ofEndpoint = (await list({ endpointId })).pagination.nextCursor!;
  expect((await list({ endpointId, cursor: ofEndpoint })).data.map(({ id }) => id)).toEqual([oldest]);
  await expect(list({ endpointId: second.endpointId, cursor: ofEndpoint })).rejects.toMatchObject({
    code: 'malformed_request',
  });
});

test('a rare answer among many waiting deliveries is found page by page', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const [rare] = await insert(world, [{ endpointId, state: 'retrying', code: 503 }]);
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

import { createId, idTime } from '@service/database';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

type Query = Parameters<DeliveryWorld['deliveries']['list']>[1];

async function idsOf(world: DeliveryWorld, query: Omit<Query, 'limit'>): Promise<string[]> {
  const page = await world.deliveries.list(world.reader(), { limit: 100, ...query });
  return page.data.map((delivery) => delivery.id);
}

test('each status finds its deliveries and no others', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600] });
  const answers: Record<string, number | undefined> = { '/ok': 200, '/no': 500, '/hang': undefined };
  await using receiver = await startReceiver((request, response) => {
    const status = answers[request.url!];
    if (status) response.writeHead(status).end();
  });
  const at = (path: string) => receiver.url.replace('/hook', path);
  const { endpointId } = await world.createEndpoint(at('/ok'));
  const move = (path: string) => world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, at(path)));
  world.createTasks({ timeoutMs: 30_000 }).start();

  const success = await world.enqueue(endpointId);
  await world.untilStatus(success, 'success');
  await move('/no');
  const cancelled = await world.enqueue(endpointId);
  await world.untilStatus(cancelled, 'retrying');
  await world.write((tx) => world.deliveries.cancelWaiting(tx, endpointId));
  const failure = await world.enqueue(endpointId);
  await world.untilStatus(failure, 'retrying');
  await world.database.pool.query('update deliveries.due set due_at = now() where delivery_id = $1', [
    failure,
  ]);
  await world.untilStatus(failure, 'failure');
  const retrying = await world.enqueue(endpointId);
  await world.untilStatus(retrying, 'retrying');
  await move('/hang');
  const delivering = await world.enqueue(endpointId);
  await world.untilStatus(delivering, 'delivering');
  const later = await world.write((tx) =>
    world.deliveries.enqueue({ ...tx, afterCommit: () => undefined }, [
      { endpointId, eventType: 'joined', body: '{}' },
    ]),
  );
  await world.database.pool.query(
    `update deliveries.due set due_at = now() + interval '1 hour', leased_until = null, claim = null
     where delivery_id = $1`,
    [later[0]],
  );

  const found = Object.fromEntries(
    await Promise.all(
      (['queued', 'delivering', 'success', 'retrying', 'failure', 'cancelled'] as const).map(
        async (status) => [status, await idsOf(world, { endpointId, status })] as const,
      ),
    ),
  );
  expect(found).toEqual({
    queued: later,
    delivering: [delivering],
    success: [success],
    retrying: [retrying],
    failure: [failure],
    cancelled: [cancelled],
  });
  expect(await idsOf(world, { endpointId, eventType: 'joined' })).toEqual(later);
  expect(await idsOf(world, { endpointId, eventType: 'joined', status: 'queued' })).toEqual(later);
  expect(await idsOf(world, { endpointId, eventType: 'joined', status: 'failure' })).toEqual([]);
});

test('a time range holds what was made from its beginning up to its end', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push(await world.enqueue(endpointId));
    // The next millisecond, so that each has a time of its own.
    const until = Date.now() + 1;
    await eventually('the next millisecond', () => Date.now() > until);
  }
  const [, from, to] = ids.map((id) => idTime(id).toISOString());
  const range = { endpointId, from, to };
  expect(await idsOf(world, range)).toEqual([ids[1]]);
  expect(await idsOf(world, { endpointId, from })).toEqual([ids[2], ids[1]]);
  expect(await idsOf(world, { endpointId, to: from, status: 'queued' })).toEqual([ids[0]]);
});

test('a rare kind among many is found page by page, and failures without looking at successes', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const rare = createId();
  const failed = createId();
  const common = Array.from({ length: 11_000 }, () => createId());
  const insert = (ids: string[], eventType: string, endedAs: string | null) =>
    world.database.pool.query(
      `insert into deliveries.delivery
         (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at, ended_as)
       select id, $2, $3, $4, '{}', false, 3, now(), $5 from unnest($1::uuid[]) as id`,
      [ids, world.accountId, endpointId, eventType, endedAs],
    );
  await insert([rare], 'cta_click', null);
  await insert([failed], 'registered', 'failure');
  await insert(common, 'registered', null);

  const found: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const query = { endpointId, eventType: 'cta_click', limit: 10, cursor };
    const page = await world.deliveries.list(world.reader(), query);
    found.push(...page.data.map((delivery) => delivery.id));
    cursor = page.pagination.nextCursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined);
  expect(found).toEqual([rare]);
  expect(pages).toBe(3);
  expect(await idsOf(world, { endpointId, status: 'failure' })).toEqual([failed]);
});

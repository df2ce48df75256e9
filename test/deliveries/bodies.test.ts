// A body is stored once for all deliveries of a call that have it.
import { randomUUID } from 'node:crypto';
import { createId, idAt } from '@service/database';
import { declaredStatements } from '@service/database/testing';
import { createOutboundAgent, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { createDeliveryService } from '../support/delivery-service.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { onStatement, type SentStatement } from '../support/sent-statements.ts';
import { createDeliveryWorld, silentLog } from './delivery-world.ts';

const body = '{"z":1,"a":[1.0,  2],"text":"é ✓ \\u00e9"}';

test('deliveries of one call with the same body store it once, and every try of each sends the same bytes', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver((request, response) => {
    response.statusCode = receiver.received.length > 3 ? 200 : 500;
    response.end();
  });
  const { pool } = world.database;
  const [one, two, three] = [
    await world.createEndpoint(receiver.url),
    await world.createEndpoint(receiver.url),
    await world.createEndpoint(receiver.url),
  ];
  const endpoints = [one, two, three];
  const drafts = endpoints.map(({ endpointId }) => ({ endpointId, eventType: 'registered', body }));
  const other = { endpointId: one.endpointId, eventType: 'registered', body: '"other"' };
  const ids = await world.write((tx) => world.deliveries.enqueue(tx, [...drafts, other]));
  expect((await pool.query('select id, body from deliveries.body order by id')).rows).toEqual([
    { id: ids[0], body },
    { id: ids[3], body: '"other"' },
  ]);

  world.createWorker().start();
  for (const id of ids) await world.untilStatus(id, 'success');
  const texts = receiver.received.map((request) => request.body.toString());
  expect(new Set(texts)).toEqual(new Set([body, '"other"']));
  expect(texts.length).toBeGreaterThan(ids.length);
  for (const id of ids.slice(0, 3))
    expect(await world.deliveries.get(world.reader(), { deliveryId: id })).toMatchObject({ body });

  const { id: again } = await world.write((tx) =>
    world.deliveries.redeliver(tx, { deliveryId: ids[2]!, endpointId: three.endpointId }),
  );
  expect(await world.untilStatus(again, 'success')).toMatchObject({ body: `${body} again`, isRefire: true });
});

test('a delivery from before 24 November sends the body of its own row, and can be sent again', async () => {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await testDatabase());
  const accountId = randomUUID();
  const deliveryId = createId();
  await database.pool.query(
    `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
     values ($1, $2, $2, 'registered', $3, false, 3, now())`,
    [deliveryId, accountId, body],
  );
  await database.pool.query(
    `insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries) values ($1, $2, $2, now(), 0, 0)`,
    [deliveryId, accountId],
  );
  await database.pool.query(
    'insert into deliveries.usage (account_id, slot, waiting, bytes) values ($1, 0, 1, 1200)',
    [accountId],
  );

  const service = opened.use(
    createDeliveryService({
      database,
      log: silentLog,
      retryScheduleSeconds: [0],
      refire: (text) => `${text} again`,
    }),
  );
  const { deliveries } = service;
  const reader = service.reader(accountId);
  expect(await deliveries.usage(reader)).toMatchObject({ waiting: 1 });
  const receiver = opened.use(await startReceiver());
  const { endpointId } = await service.writeAs(accountId, (tx) =>
    deliveries.createEndpoint(tx, { url: receiver.url, enabled: true }),
  );
  for (const table of ['delivery', 'due'])
    await database.pool.query(`update deliveries.${table} set endpoint_id = $1`, [endpointId]);

  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  const agent = createOutboundAgent({ policy, resolver: createResolver() });
  opened.defer(() => agent.destroy());
  const worker = service.createWorker({ agent, timeoutMs: 2000, concurrency: 8, sweepEveryMs: 50 });
  opened.defer(() => worker.stop());
  worker.start();
  await eventually('the delivery', async () => {
    return (await deliveries.get(reader, { deliveryId })).status === 'success';
  });
  await service.writeAs(accountId, (tx) => deliveries.redeliver(tx, { deliveryId, endpointId }));
  await eventually('the redelivery', () => receiver.received.length === 2);
  expect(receiver.received.map((request) => request.body.toString())).toEqual([body, `${body} again`]);
  expect(await deliveries.get(reader, { deliveryId })).toMatchObject({ body });
  await eventually('nothing to wait', async () => (await deliveries.usage(reader)).waiting === 0);
});

test('each statement that reads bodies plans the partitions of one day', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('http://127.0.0.1:9/');
  const id = await world.enqueue(endpointId);
  const day = new Date().toISOString().slice(0, 10);
  const lowest = idAt(new Date(day));
  const { accountId } = world;
  const valuesOf = (text: string, isOfAll: boolean): unknown[] => {
    if (text.includes('$5')) return [accountId, [id], id, id, lowest];
    return isOfAll ? [[id], id, id, lowest] : [accountId, id, lowest];
  };
  const reading = declaredStatements().filter(
    ({ name, text }) => name === undefined && text.includes('deliveries.body kept'),
  );
  expect(reading).toHaveLength(3);
  for (const { text, allAccounts } of reading) {
    const values = valuesOf(text, allAccounts !== undefined);
    const { rows } = await world.database.pool.query(`explain (costs off) ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const read = [...plan.matchAll(/ on (body_\w+)/g)].map(([, name]) => name);
    expect(read, plan).toEqual([`body_${day.replaceAll('-', '')}`]);
  }
});

test('a first try is claimed together with a body of up to 8,000 bytes, and also sent when that is longer or the day has no partition', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const sent: SentStatement[] = [];
  using _ = onStatement((statement) => void sent.push(statement));
  world.createWorker({ sweepEveryMs: 3_600_000 }).start();
  // The last statement of the only sweep.
  await eventually('the sweep', () => sent.some(({ text }) => text.includes('set probes')));
  sent.length = 0;
  // Three bytes each.
  const [whole, long] = [2666, 2667].map((count) => '✓'.repeat(count));
  const ids = [await world.enqueue(endpointId, whole), await world.enqueue(endpointId, long)];
  await eventually('the deliveries', () => receiver.received.length === 2);
  expect(
    sent.filter(({ text }) => text.includes('deliveries.body kept')).map(({ values }) => values[0]),
  ).toEqual([[ids[1]]]);
  for (const id of ids) await world.untilStatus(id, 'success');

  const digits = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of ['delivery', 'body']) {
    await world.database.pool.query(
      `alter table deliveries.${table} detach partition deliveries.${table}_${digits};
       alter table deliveries.${table}_${digits} rename to ${table}_detached`,
    );
  }
  await world.untilStatus(await world.enqueue(endpointId, body), 'success');
  expect(new Set(receiver.received.map((request) => request.body.toString()))).toEqual(
    new Set([whole, long, body]),
  );
});

// An account that does its worst with the connections of a process, and the others that must not feel it.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { callRest, createTestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { signInMember } from '../support/member.ts';
import { createWorld } from '../support/world.ts';

/** Locks the row of a webinar, so that every write to it waits, until it is disposed of. */
async function lockWebinar(url: string, webinarId: string): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from webinars.webinar where id = $1 for update', [webinarId]);
  return { [Symbol.asyncDispose]: () => client.end() };
}

test('an account at its limit of connections delays no other account, and its own further calls are refused in time', async () => {
  const connections = { poolSize: 4, waitMaxMs: 300 };
  await using room = await createWorld({ connections });
  const { service } = room;
  const greedy = await createTestWorld(service);
  const attendee = await room.attend();
  const member = await signInMember(service, room);
  await using _lock = await lockWebinar(service.db.url, greedy.webinar.id);

  const rename = () =>
    callRest(service, `PATCH /webinars/${greedy.webinar.id}`, { key: greedy.key, body: { title: 'New' } });
  const waiting = [rename(), rename()];
  const { database } = service.api.service;
  await eventually('the account uses its connections', () => database.usage().transactions.used === 2);
  const surplus = await Promise.all([rename(), rename(), rename()]);
  for (const answer of surplus) {
    expect(answer.status).toBe(503);
    expect(answer.json.code).toBe('service_busy');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }

  room.startSession();
  expect((await room.rest(`PATCH /webinars/${room.webinar.id}`, { title: 'Other' })).status).toBe(200);
  expect((await member.call('webinars.list')).status).toBe(200);
  expect((await attendee.visit()).status).toBe(201);
  expect((await attendee.beat()).status).toBe(200);
  // Single statements have places of their own, so reads of the account itself go on.
  expect((await callRest(service, 'GET /me', { key: greedy.key })).status).toBe(200);
  expect(await metricOf(service.baseUrl, 'database_connections_used{pool="transactions"}')).toBe(2);

  await _lock[Symbol.asyncDispose]();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  expect(database.usage().transactions).toEqual({ used: 0, waiting: 0 });
});

const metricOf = async (baseUrl: string, name: string): Promise<number> => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(name));
  return Number(line?.split(' ').at(-1));
};

test('a read that takes too long is ended and refused, and its connection is free again', async () => {
  await using world = await createWorld({ connections: { statementMaxMs: 300 } });
  const client = new Client({ connectionString: world.service.db.url });
  await client.connect();
  await client.query('begin; lock table webinars.webinar in access exclusive mode');
  const refused = await world.rest('GET /webinars');
  expect([refused.status, refused.json.code]).toEqual([503, 'query_timeout']);
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]/);
  await client.end();
  expect((await world.rest('GET /webinars')).status).toBe(200);
  expect(world.service.api.service.database.usage().statements).toEqual({ used: 0, waiting: 0 });
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { activityRows, callTool } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

const registration = (fields: object = {}) => ({
  webinarId: world.webinar.id,
  name: 'Ada',
  email: 'ada@example.com',
  sessionTime: world.webinar.sessionTime,
  ...fields,
});

const countOf = async (table: string): Promise<number> => {
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as count from ${table} where account_id = $1`,
    [world.accountId],
  );
  return rows[0].count;
};

test('a repeated write returns its first answer, says so, and is a replay in Activity', async () => {
  const { key } = world;
  const write = () =>
    callTool(service, key, 'create_registration', registration({ idempotency_key: 'once' }));
  const first = await write();
  const { id: registrationId } = first.data.data;
  await callTool(service, key, 'cancel_registration', { webinarId: world.webinar.id, registrationId });
  const again = await write();
  expect(again.data).toEqual(first.data);
  expect(again.response.result._meta).toEqual({ replayed: true });
  await service.api.service.activity.flush();
  const { rows } = await service.db.database.pool.query(
    `select status, replayed, idempotency_key from activity.api_call
     where account_id = $1 and tool = 'create_registration' order by id`,
    [world.accountId],
  );
  expect(rows).toEqual([
    { status: 201, replayed: false, idempotency_key: 'once' },
    { status: 201, replayed: true, idempotency_key: 'once' },
  ]);
});

test('the key of a write is taken on every surface, and for other arguments', async () => {
  const { key } = world;
  await callTool(service, key, 'create_webinar', { title: 'Once', idempotency_key: 'taken' });
  const other = await callTool(service, key, 'create_webinar', { title: 'Twice', idempotency_key: 'taken' });
  expect([other.isError, other.data.code]).toEqual([true, 'idempotency_key_reused']);
  const [, reused] = await activityRows(service, world.accountId);
  expect(reused).toMatchObject({ tool: 'create_webinar', status: 409, replayed: false });
  expect(other.data.nextStep).toContain('new idempotency_key');
  const headers = { 'Idempotency-Key': 'taken' };
  const overRest = await callRest(service, 'POST /webinars', { key, body: { title: 'Once' }, headers });
  expect([overRest.status, overRest.json.code]).toEqual([409, 'idempotency_key_reused']);

  await callRest(service, 'POST /webinars', {
    key,
    body: { title: 'Rest' },
    headers: { 'Idempotency-Key': 'rest' },
  });
  const overMcp = await callTool(service, key, 'create_webinar', { title: 'Rest', idempotency_key: 'rest' });
  expect(overMcp.data.code).toBe('idempotency_key_reused');
  expect(await countOf('webinars.webinar')).toBe(3);
});

test('a program may send the key in _meta, and different keys are refused', async () => {
  const { key } = world;
  const write = (fields: object) => callTool(service, key, 'create_webinar', { title: 'Meta', ...fields });
  const first = await write({ _meta: { idempotency_key: 'meta' } });
  const second = await write({ idempotency_key: 'meta' });
  expect([second.data, second.headers.get('idempotent-replayed')]).toEqual([first.data, 'true']);
  const both = await write({ idempotency_key: 'meta', _meta: { idempotency_key: 'other' } });
  expect([both.data.code, both.data.issues[0].path]).toEqual(['validation_failed', 'idempotency_key']);
  const malformed = await write({ idempotency_key: 'a b' });
  expect(malformed.data.code).toBe('malformed_idempotency_key');
  const number = await write({ idempotency_key: 7 });
  expect(number.data.issues).toEqual([{ path: 'idempotency_key', message: 'Must be a string.' }]);
});

test('a read takes no key', async () => {
  const refused = await callTool(service, world.key, 'list_webinars', { idempotency_key: 'read' });
  expect(refused.data.issues).toEqual([{ path: 'idempotency_key', message: 'Unknown field.' }]);
});

test('a kept refusal is returned again', async () => {
  const wrong = registration({ sessionTime: '2030-01-01T00:00:30Z', idempotency_key: 'refused' });
  const first = await callTool(service, world.key, 'create_registration', wrong);
  const again = await callTool(service, world.key, 'create_registration', wrong);
  const replayed = again.headers.get('idempotent-replayed');
  expect([first.isError, again.isError, replayed]).toEqual([true, true, 'true']);
  expect(again.data).toMatchObject({ code: first.data.code, issues: first.data.issues });
});

import { deleteExpiredAnswers } from '@service/idempotency';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApiProcess } from '../support/api-process.ts';
import {
  callRest,
  createTestKey,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { startReceiver } from '../support/receiver.ts';

let service: TestApi;
let world: TestWorld;
let person = 0;

beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

const registrations = (): string => `/webinars/${world.webinar.id}/registrations`;

/** A body that no other test sends. */
function registrationBody() {
  person += 1;
  return { name: 'Ada', email: `ada-${person}@example.com`, sessionTime: world.webinar.sessionTime };
}

const write = (
  route: string,
  idempotencyKey: string,
  body?: unknown,
  { key = world.key, at = service }: { key?: string; at?: Pick<TestApi, 'baseUrl'> } = {},
) => callRest(at, route, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });

async function count(table: string): Promise<number> {
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as count from ${table} where account_id = $1`,
    [world.accountId],
  );
  return rows[0].count;
}

test('fifty simultaneous requests with one key register once, fire once, and get the same answer or are asked to retry', async () => {
  const body = registrationBody();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => write(`POST ${registrations()}`, 'fifty', body)),
  );
  const first = answers.filter(
    (answer) => answer.status === 201 && !answer.headers.has('idempotent-replayed'),
  );
  expect(first).toHaveLength(1);
  for (const answer of answers.filter((other) => other !== first[0])) {
    if (answer.status === 409) {
      expect(answer.json.code).toBe('idempotency_in_progress');
      expect(answer.headers.get('retry-after')).toBe('1');
    } else {
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(answer.text).toBe(first[0]!.text);
    }
  }
  expect(await count('attendees.registration')).toBe(1);
  expect(await count('attendees.attendee_event')).toBe(1);
});

test('a replay is the first answer to the byte, with its location, and is marked in Activity', async () => {
  await using receiver = await startReceiver();
  const body = { url: receiver.url, eventTypes: ['registered'] };
  const route = `POST /webinars/${world.webinar.id}/webhooks`;
  const first = await write(route, 'subscribe', body);
  const again = await write(route, 'subscribe', body);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.text).toBe(first.text);
  expect(again.json.data.secret).toMatch(/^whsec_/);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await count('automations.subscription')).toBe(1);

  await service.api.service.activity.flush();
  const { rows } = await service.db.database.pool.query(
    `select status, replayed from activity.api_call where account_id = $1 order by id`,
    [world.accountId],
  );
  expect(rows).toEqual([
    { status: 201, replayed: false },
    { status: 201, replayed: true },
  ]);
});

test('kept answers contain no secret in clear', async () => {
  await using receiver = await startReceiver();
  const body = { url: receiver.url, eventTypes: ['registered'] };
  const created = await write(`POST /webinars/${world.webinar.id}/webhooks`, 'sealed', body);
  const { rows } = await service.db.database.pool.query(
    `select t::text as row from idempotency.kept_answer t where account_id = $1`,
    [world.accountId],
  );
  expect(rows).toHaveLength(1);
  for (const hidden of [created.json.data.secret, created.json.data.secret.slice(6), receiver.url]) {
    expect(rows[0].row).not.toContain(hidden);
  }
});

test('a key that was used for another request is refused, whichever part differs', async () => {
  const body = registrationBody();
  await write(`POST ${registrations()}`, 'used', body);
  const others = [
    write(`POST ${registrations()}`, 'used', { ...body, name: 'Eve' }),
    write(`POST ${registrations()}`, 'used', { ...body, utm: {} }),
    write('POST /webinars', 'used', { title: 'Other' }),
    write(`DELETE /webinars/${world.webinar.id}/webhooks/${world.webinar.id}`, 'used'),
  ];
  for (const answer of await Promise.all(others)) {
    expect([answer.status, answer.json.code]).toEqual([409, 'idempotency_key_reused']);
  }
});

test('a retry may have another order of fields, and may quote its key', async () => {
  const { name, email, sessionTime } = registrationBody();
  const first = await write(`POST ${registrations()}`, 'order-of-members', { name, email, sessionTime });
  const again = await write(`POST ${registrations()}`, '"order-of-members"', { sessionTime, email, name });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
});

test('a key belongs to its account: another API key of the account may retry, and other accounts may use the same key', async () => {
  const body = registrationBody();
  const first = await write(`POST ${registrations()}`, 'shared', body);
  const rotated = await createTestKey(service, world.accountId);
  const again = await write(`POST ${registrations()}`, 'shared', body, { key: rotated.key });
  expect(again.text).toBe(first.text);

  const other = await createTestWorld(service);
  const theirs = await callRest(service, `POST /webinars/${other.webinar.id}/registrations`, {
    key: other.key,
    body: { ...body, sessionTime: other.webinar.sessionTime },
    headers: { 'Idempotency-Key': 'shared' },
  });
  expect([theirs.status, theirs.headers.has('idempotent-replayed')]).toEqual([201, false]);
});

test('an API key without the scope gets no kept answer', async () => {
  const body = registrationBody();
  await write(`POST ${registrations()}`, 'hidden', body);
  const reader = await createTestKey(service, world.accountId, { scopes: ['registrations:read'] });
  expect((await write(`POST ${registrations()}`, 'hidden', body, { key: reader.key })).status).toBe(401);
});

test('a refusal of the handler is replayed, even when the write would succeed by now', async () => {
  const draft = await callRest(service, 'POST /webinars', { key: world.key, body: { title: 'Draft' } });
  const route = `POST /webinars/${draft.json.data.id}/registrations`;
  const refused = await write(route, 'too-early', registrationBody());
  expect([refused.status, refused.json.code]).toEqual([409, 'webinar_not_published']);
  const body = registrationBody();
  const missing = await write(`POST /webinars/${world.accountId}/registrations`, 'missing', body);
  const missingAgain = await write(`POST /webinars/${world.accountId}/registrations`, 'missing', body);
  expect([missing.status, missingAgain.status]).toEqual([404, 404]);
  expect(missingAgain.headers.get('idempotent-replayed')).toBe('true');
  expect(missingAgain.text).toBe(missing.text);
});

test('a request that never reached the handler leaves the key free', async () => {
  const body = registrationBody();
  expect((await write(`POST ${registrations()}`, 'free', { ...body, email: 'no address' })).status).toBe(422);
  const created = await write(`POST ${registrations()}`, 'free', body);
  expect([created.status, created.headers.has('idempotent-replayed')]).toEqual([201, false]);
});

test('an internal error keeps no answer and leaves nothing half-written', async () => {
  await using broken = await testApi();
  const there = await createTestWorld(broken);
  const { pool } = broken.db.database;
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: there.webinar.sessionTime };
  const send = () =>
    callRest(broken, `POST /webinars/${there.webinar.id}/registrations`, {
      key: there.key,
      body,
      headers: { 'Idempotency-Key': 'broken' },
    });
  await pool.query('alter table attendees.attendee_event rename to elsewhere');
  const failed = await send();
  expect([failed.status, failed.json.message]).toEqual([500, 'Internal server error']);
  const left = await pool.query('select from attendees.registration');
  expect(left.rowCount).toBe(0);
  await pool.query('alter table attendees.elsewhere rename to attendee_event');
  const repeated = await send();
  expect([repeated.status, repeated.headers.has('idempotent-replayed')]).toEqual([201, false]);
});

test('a process that is killed in the middle of a write leaves the key free and nothing half-written, and other accounts may use the same key meanwhile', async () => {
  await using doomed = await startApiProcess(service.db.url);
  const body = registrationBody();
  const neighbour = await createTestWorld(service);
  const { pool } = service.db.database;
  // The write gets as far as its event, with the registration inserted and the key taken, and waits there.
  await using lock = await lockRows(pool, 'lock table attendees.attendee_event in share mode', []);
  const cut = write(`POST ${registrations()}`, 'killed', body, { at: doomed }).catch(() => 'no answer');
  await eventually('the write waits for the table', async () => (await countWaiting(pool)) === 1);
  const meanwhile = await write(`POST ${registrations()}`, 'killed', body);
  expect([meanwhile.status, meanwhile.json.code]).toEqual([409, 'idempotency_in_progress']);
  const theirs = await write('POST /webinars', 'killed', { title: 'Theirs' }, { key: neighbour.key });
  expect(theirs.status).toBe(201);
  await doomed.kill();
  expect(await cut).toBe('no answer');
  await lock.release();

  const repeated = await eventually('the key is free', async () => {
    const answer = await write(`POST ${registrations()}`, 'killed', body);
    return answer.status === 409 ? undefined : answer;
  });
  expect([repeated.status, repeated.headers.has('idempotent-replayed')]).toEqual([201, false]);
  expect(await count('attendees.registration')).toBe(1);
  expect(await count('attendees.attendee_event')).toBe(1);
});

test('after its window a key executes anew, and the sweep takes only what has expired', async () => {
  const { pool } = service.db.database;
  const expired = registrationBody();
  await write(`POST ${registrations()}`, 'old', expired);
  await write(`POST ${registrations()}`, 'older', registrationBody());
  await write(`POST ${registrations()}`, 'young', registrationBody());
  await pool.query(
    `update idempotency.kept_answer set created_at = now() - interval '24 hours 1 second'
     where account_id = $1 and key in ('old', 'older')`,
    [world.accountId],
  );
  const anew = await write(`POST ${registrations()}`, 'old', expired);
  // It is there already, so the write itself says 200; a replay would have said 201.
  expect([anew.status, anew.headers.has('idempotent-replayed')]).toEqual([200, false]);

  await deleteExpiredAnswers(pool, { now: new Date(), windowHours: 24 });
  const { rows } = await pool.query(
    'select key from idempotency.kept_answer where account_id = $1 order by key',
    [world.accountId],
  );
  expect(rows.map((row) => row.key)).toEqual(['old', 'young']);
});

test('a key that is not 1 to 255 visible ASCII characters is refused before anything is done', async () => {
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9', '""', 'tab\tbed']) {
    const answer = await write(`POST ${registrations()}`, key, registrationBody());
    expect([answer.status, answer.json.code], JSON.stringify(key)).toEqual([
      400,
      'malformed_idempotency_key',
    ]);
  }
  expect((await write(`POST ${registrations()}`, 'x'.repeat(255), registrationBody())).status).toBe(201);
  expect(await count('attendees.registration')).toBe(1);
});

test('a read ignores the key', async () => {
  const first = await write('GET /webinars', 'read');
  const again = await write('GET /webinars?limit=1', 'read');
  expect([first.status, again.status]).toEqual([200, 200]);
});

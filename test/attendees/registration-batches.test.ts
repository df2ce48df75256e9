// Registrations that arrive while others of the webinar are written are written together, in one transaction.
import { expect } from 'vitest';
import { callRest, createTestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { test as base } from '../support/service-test.ts';
import { register } from './registrations.ts';

interface Call {
  email: string;
  key?: string;
  sessionTime?: string;
}

const test = base.extend('together', ({ service, world: { webinar, key: apiKey } }) => {
  const send = ({ key, ...fields }: Call) =>
    callRest(service, `POST /webinars/${webinar.id}/registrations`, {
      key: apiKey,
      body: { name: 'Ada', sessionTime: webinar.sessionTime, ...fields },
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    });
  /** Answers calls that arrive while another waits for a lock of the test, and therefore wait too. */
  return async (calls: readonly Call[], whileWaiting?: () => Promise<unknown>) => {
    const blocker = await service.db.database.begin();
    const lockOfWebinar = 'select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))';
    await blocker.query({ text: lockOfWebinar }, [webinar.id]);
    const first = send({ email: 'first@example.com' });
    await eventually('it to wait', async () => {
      const { rows } = await service.db.database.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length === 1;
    });
    const answers = calls.map(send);
    await whileWaiting?.();
    // Later calls are answered, so these ones have arrived.
    for (let call = 0; call < 5; call += 1) await callRest(service, 'GET /me', { key: apiKey });
    await blocker.rollback();
    await first;
    return Promise.all(answers);
  };
});

const people = (count: number): Call[] =>
  Array.from({ length: count }, (_, index) => ({ email: `person-${index}@example.com` }));

/** Transactions that wrote registrations, and the rows that belong to each registration. */
const written = `
  select count(distinct r.xmin::text)::int as transactions, count(*)::int as registrations,
    (select count(*)::int from attendees.attendee_event where account_id = $1) as events,
    (select count(*)::int from deliveries.delivery where account_id = $1) as deliveries,
    (select sum(registered_count)::int from webinars.session where account_id = $1) as places
  from attendees.registration r where account_id = $1`;

test('calls that wait are one transaction, and each has its own answer, refusal and idempotency key', async ({
  service,
  world,
  together,
}) => {
  await world.call('POST /webhooks', { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] });
  const refused = { email: 'late@example.com', sessionTime: '2020-01-01T00:00:00Z' };
  const answers = await together([
    ...people(6),
    { email: 'twice@example.com' },
    { email: 'twice@example.com' },
    refused,
    { ...refused, key: 'refused' },
    { email: 'kept@example.com', key: 'kept' },
    { email: 'kept@example.com', key: 'kept' },
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 6)).toEqual(Array(6).fill(201));
  expect(new Set(statuses.slice(6, 8))).toEqual(new Set([200, 201]));
  expect(statuses.slice(8)).toEqual([422, 422, 201, 201]);
  expect(new Set(answers.slice(0, 8).map(({ json }) => json.data.id)).size).toBe(7);
  const [again, first] = answers.toReversed();
  expect(again!.text).toBe(first!.text);
  const { rows } = await service.db.database.pool.query(written, [world.accountId]);
  const all = { registrations: 9, events: 9, deliveries: 9, places: 9 };
  expect(rows).toEqual([{ ...all, transactions: expect.any(Number) }]);
  expect(rows[0].transactions).toBeLessThanOrEqual(3);
  const { rows: kept } = await service.db.database.pool.query(
    'select key, status from idempotency.kept_answer where account_id = $1 order by key',
    [world.accountId],
  );
  expect(kept).toEqual([
    { key: 'kept', status: 201 },
    { key: 'refused', status: 422 },
  ]);
});

test.for([
  { moment: 'when it is written', table: 'attendees.registration', column: 'email' },
  { moment: 'at the commit', table: 'idempotency.kept_answer', column: 'key' },
])(
  'a call whose rows the database refuses $moment fails alone: the others of its batch are written once',
  async ({ table, column }, { service, world, together }) => {
    const { pool } = service.db.database;
    await pool.query(`alter table ${table} add constraint poison check (${column} <> 'poison@example.com')`);
    try {
      const poison = { email: 'poison@example.com', key: 'poison@example.com' };
      const answers = await together([...people(5), poison, { email: 'last@example.com', key: 'last' }]);
      expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(201), 500, 201]);
    } finally {
      await pool.query(`alter table ${table} drop constraint poison`);
    }
    const { rows } = await pool.query(written, [world.accountId]);
    expect(rows).toMatchObject([{ registrations: 7, events: 7, places: 7 }]);
  },
);

test('a call that found no place in a batch gets the place of another call whose commit failed', async ({
  service,
  world,
  together,
}) => {
  const { pool } = service.db.database;
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { registrationForm: { capacityPerSession: 2 } });
  await pool.query(`alter table idempotency.kept_answer add constraint poison check (key <> 'poison')`);
  try {
    const answers = await together([
      { email: 'poison@example.com', key: 'poison' },
      { email: 'late@example.com' },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([500, 201]);
  } finally {
    await pool.query('alter table idempotency.kept_answer drop constraint poison');
  }
});

test('calls that wait take exactly the places that are left, and calls of another account do not wait', async ({
  service,
  world,
  together,
}) => {
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { registrationForm: { capacityPerSession: 5 } });
  const other = await createTestWorld(service);
  const answers = await together(people(20), async () => expect((await register(other)).status).toBe(201));
  const codes = Map.groupBy(answers, ({ status, json }) => `${status} ${json.code ?? ''}`);
  expect(Object.fromEntries([...codes].map(([code, { length }]) => [code, length]))).toEqual({
    '201 ': 4,
    '409 session_full': 16,
  });
});

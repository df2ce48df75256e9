// Limits that count and then insert, with many requests at the same moment; and bulk calls, of which an account runs two.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createId } from '@service/database';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApi;
let second: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
  second = await testApi({ shared: service.db });
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  world = await createTestWorld(service);
});

const query = async (text: string, values: unknown[] = []) =>
  (await service.db.database.pool.query(text, values)).rows;

/** Copies the account's only row of a table until there are `count`. */
const fill = (table: string, count: number, changes = "'{}'") =>
  query(
    `insert into ${table} select (jsonb_populate_record(r,
       jsonb_build_object('id', gen_random_uuid()) || (${changes})::jsonb)).*
     from ${table} r, generate_series(1, $2) number where account_id = $1`,
    [world.accountId, count - 1],
  );

const countOf = async (table: string): Promise<number> =>
  (await query(`select count(*)::int as count from ${table} where account_id = $1`, [world.accountId]))[0]
    .count;

/** Fifty creations at once, by turns over two API processes: how many were made, and the codes of the others. */
async function race(create: (at: TestApi, number: number) => Promise<{ status: number; code?: string }>) {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create(index % 2 === 0 ? service : second, index)),
  );
  const refused = answers.filter(({ status }) => status >= 300);
  return { made: answers.length - refused.length, codes: [...new Set(refused.map(({ code }) => code))] };
}

const post = async (at: TestApi, path: string, body: unknown) => {
  const { status, json } = await callRest(at, `POST ${path}`, { key: world.key, body });
  return { status, code: json.code as string | undefined };
};

test('of fifty keys made at once beside 199, one is made', async () => {
  const hash = `jsonb_build_object('hash', sha256((r.id::text || number)::bytea))`;
  await fill('keys.api_key', 199, hash);
  const dashboards = new Map([[service, await openDashboard(service, world)]]);
  dashboards.set(second, await openDashboard(second, world));
  const { made, codes } = await race(async (at, number) => {
    const input = { label: `Key ${number}`, scopes: ['webinars:read'], surfaces: ['rest'] };
    return dashboards
      .get(at)!
      .mutate('keys.create', input)
      .then(
        () => ({ status: 200 }),
        (error: Error) => ({ status: 409, code: error.message }),
      );
  });
  expect([made, codes, await countOf('keys.api_key')]).toEqual([1, ['api_key_limit_reached'], 200]);
});

test('of fifty subscriptions made at once beside 99, one is made', async () => {
  const path = `/webinars/${world.webinar.id}/webhooks`;
  const body = { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] };
  expect((await post(service, path, body)).status).toBe(201);
  await fill('automations.subscription', 99);
  const { made, codes } = await race((at) => post(at, path, body));
  expect([made, codes, await countOf('automations.subscription')]).toEqual([
    1,
    ['webhook_limit_reached'],
    100,
  ]);
});

test('of fifty rules made at once beside 99, one is made', async () => {
  const path = `/webinars/${world.webinar.id}/automations`;
  const body = {
    name: 'Rule',
    trigger: { type: 'registered', params: {} },
    action: { type: 'webhook', url: 'http://127.0.0.1:9/' },
  };
  expect((await post(service, path, body)).status).toBe(201);
  await fill('automations.rule', 99);
  const { made, codes } = await race((at) => post(at, path, body));
  expect([made, codes, await countOf('automations.rule')]).toEqual([1, ['webhook_limit_reached'], 100]);
});

test('of fifty interactions made at once beside 199, one is made', async () => {
  const path = `/webinars/${world.webinar.id}/interactions`;
  const body = {
    type: 'cta',
    internalName: 'Internal',
    headline: 'Headline',
    showAtSeconds: 0,
    url: 'https://example.com/',
    buttonLabel: 'Open',
  };
  expect((await post(service, path, body)).status).toBe(201);
  await fill('webinars.interaction', 199);
  const { made, codes } = await race((at) => post(at, path, body));
  expect([made, codes, await countOf('webinars.interaction')]).toEqual([
    1,
    ['interaction_limit_reached'],
    200,
  ]);
});

test('an account runs two bulk calls at a time, over all processes; those of other accounts go on', async () => {
  const other = await createTestWorld(service);
  const bulk = (at: TestApi, { key, webinar }: TestWorld) =>
    callRest(at, `POST /webinars/${webinar.id}/registrations/bulk`, {
      key,
      body: {
        registrations: [
          { name: 'Ada', email: `${createId()}@example.com`, sessionTime: webinar.sessionTime },
        ],
      },
    });
  // While another transaction changes the webinar, bulk calls wait for it.
  const blocker = await service.db.database.begin();
  await blocker.query({ text: 'select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))' }, [
    world.webinar.id,
  ]);
  const waiting = [bulk(service, world), bulk(second, world)];
  await eventually('both to wait', async () => {
    const [row] = await query(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return row.count === 2;
  });
  for (const at of [service, second]) {
    const refused = await bulk(at, world);
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'bulk_in_progress',
      '1',
    ]);
  }
  expect((await bulk(service, other)).status).toBe(200);
  await blocker.rollback();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  expect((await bulk(service, world)).status).toBe(200);
});

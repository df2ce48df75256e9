import { searchRegistrations } from '@service/attendees';
import { expect } from 'vitest';
import { createTestWorld, type TestWorld } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { register, registerMany } from './registrations.ts';

async function find({ call }: TestWorld, filters: Record<string, string>) {
  const { status, json } = await call(`GET /registrations?${new URLSearchParams(filters).toString()}`);
  expect(status).toBe(200);
  return json.data.map(({ name }: { name: string }) => name);
}

test('people are found by the beginning of each word of their name and address, in capitals or small letters', async ({
  world,
}) => {
  await registerMany(world, [
    { name: 'Ada Lovelace', email: 'ada.king@engine.example.com' },
    { name: 'Anna-Lena Ågren', email: 'lena@sweden.example' },
    { name: "Grace O'Hopper \\ ':* & !", email: 'grace+navy@example.org' },
    { name: 'Ада Лавлейс', email: 'a.l@example.net' },
  ]);
  const search = (q: string) => find(world, { q });
  const found = {
    'Ada Lovelace': ['love', 'LOVELACE ada', 'king', 'engine.exa', 'ada.king@eng', '@engine'],
    'Anna-Lena Ågren': ['anna-lena', 'ÅGR'],
    "Grace O'Hopper \\ ':* & !": ['hopper', "o'hop", 'grace \\', 'grace+navy@'],
    'Ада Лавлейс': ['ЛАВ'],
  };
  for (const [name, queries] of Object.entries(found))
    for (const q of queries) expect(await search(q), q).toEqual([name]);
  for (const q of ['love lace', 'velace', '@', `' | 'a':*`]) expect(await search(q), q).toEqual([]);
  expect(await search('example')).toHaveLength(4);
});

test('a search is combined with the other filters, and read page by page', async ({ world }) => {
  const people = Array.from({ length: 7 }, (_, n) => ({ name: `Ada ${n}`, email: `ada${n}@example.com` }));
  await registerMany(world, [...people, { name: 'Bob', email: 'bob@example.com' }]);
  const alone = (await register(world, { name: 'Ada alone', email: 'alone@example.com' })).json.data;
  await world.call(`POST /registrations/${alone.id}/cancel`);
  expect(await find(world, { q: 'ada', status: 'cancelled' })).toEqual(['Ada alone']);
  expect(await find(world, { q: 'ada', source: 'api' })).toEqual(['Ada alone']);
  expect(await find(world, { q: 'ada', source: 'bulk' })).toHaveLength(7);
  expect(await find(world, { q: 'bob', email: 'ada0@example.com' })).toEqual([]);
  const at = 'GET /registrations?q=ada&source=bulk&limit=5';
  const first = (await world.call(at)).json;
  const second = (await world.call(`${at}&cursor=${first.pagination.nextCursor}`)).json;
  const found = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
  expect(found.toSorted()).toEqual(people.map(({ name }) => name));
  expect(second.pagination.hasMore).toBe(false);
});

test('a search never finds people of another workspace, and of another webinar only without one', async ({
  service,
}) => {
  const [ours, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  const other = await createTestWorld(service, ours);
  for (const world of [ours, theirs, other]) await register(world);
  const search = (accountId: string, webinarId?: string) =>
    searchRegistrations(
      { query: service.db.database.query, accountId },
      { text: 'ada', webinarId, limit: 10 },
    );
  const webinars = (found: Awaited<ReturnType<typeof search>>) => found.map(({ webinarId }) => webinarId);
  expect(webinars(await search(ours.accountId))).toEqual([other.webinar.id, ours.webinar.id]);
  expect(webinars(await search(ours.accountId, ours.webinar.id))).toEqual([ours.webinar.id]);
  expect(webinars(await search(theirs.accountId))).toEqual([theirs.webinar.id]);
  expect(await search(theirs.accountId, ours.webinar.id)).toEqual([]);
});

test('a search among many registrations reads the index of words', async ({ service, world }) => {
  const { sessionId } = (await register(world)).json.data;
  const { pool } = service.db.database;
  await pool.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
     select $1, gen_random_uuid(), $2, $3, 'Person ' || n, 'p' || n || '@example.com', 'bulk', now()
     from generate_series(1, 20000) n`,
    [world.accountId, world.webinar.id, sessionId],
  );
  await pool.query('analyze attendees.registration');
  const asked: { text: string; values?: unknown[] }[] = [];
  const query = async (statement: { text: string }, values: readonly unknown[]) => {
    asked.push({ text: statement.text, values: [...values] });
    return [];
  };
  await searchRegistrations({ query, accountId: world.accountId } as never, { text: 'p1999', limit: 20 });
  // The first statement searches the newest registrations only.
  const last = asked.at(-1)!;
  const { rows } = await pool.query(`explain ${last.text}`, last.values);
  expect(JSON.stringify(rows)).toContain('registration_search_index');
});

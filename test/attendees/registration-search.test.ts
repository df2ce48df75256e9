import { searchRegistrations } from '@service/attendees';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { register, registerMany } from './registrations.ts';

async function find(service: TestApi, { key, webinar }: TestWorld, filters: Record<string, string>) {
  const query = new URLSearchParams(filters).toString();
  const { status, json } = await callRest(service, `GET /webinars/${webinar.id}/registrations?${query}`, {
    key,
  });
  expect(status).toBe(200);
  return json.data.map(({ name }: { name: string }) => name);
}

test('people are found by the beginning of each word of their name and address, in capitals or small letters', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  await registerMany(service, world, [
    { name: 'Ada Lovelace', email: 'ada.king@engine.example.com' },
    { name: 'Anna-Lena Ågren', email: 'lena@sweden.example' },
    { name: "Grace O'Hopper \\ ':* & !", email: 'grace+navy@example.org' },
    { name: 'Ада Лавлейс', email: 'a.l@example.net' },
  ]);
  const search = (q: string) => find(service, world, { q });
  const [ada, lena, grace, cyrillic] = [
    'Ada Lovelace',
    'Anna-Lena Ågren',
    "Grace O'Hopper \\ ':* & !",
    'Ада Лавлейс',
  ];
  expect(await search('love')).toEqual([ada]);
  expect(await search('LOVELACE ada')).toEqual([ada]);
  expect(await search('love lace')).toEqual([]);
  expect(await search('velace')).toEqual([]);
  expect(await search('king')).toEqual([ada]);
  expect(await search('engine.exa')).toEqual([ada]);
  expect(await search('ada.king@eng')).toEqual([ada]);
  expect(await search('@engine')).toEqual([ada]);
  expect(await search('anna-lena')).toEqual([lena]);
  expect(await search('ÅGR')).toEqual([lena]);
  expect(await search('hopper')).toEqual([grace]);
  expect(await search("o'hop")).toEqual([grace]);
  expect(await search('grace \\')).toEqual([grace]);
  expect(await search('grace+navy@')).toEqual([grace]);
  expect(await search('ЛАВ')).toEqual([cyrillic]);
  expect(await search('@')).toEqual([]);
  expect(await search(`' | 'a':*`)).toEqual([]);
  expect(await search('example')).toHaveLength(4);
});

test('a search is combined with the other filters, and read page by page', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const people = Array.from({ length: 7 }, (_, n) => ({ name: `Ada ${n}`, email: `ada${n}@example.com` }));
  await registerMany(service, world, [...people, { name: 'Bob', email: 'bob@example.com' }]);
  const alone = (await register(service, world, { name: 'Ada alone', email: 'alone@example.com' })).json.data;
  await callRest(service, `POST /webinars/${world.webinar.id}/registrations/${alone.id}/cancel`, {
    key: world.key,
  });
  expect(await find(service, world, { q: 'ada', status: 'cancelled' })).toEqual(['Ada alone']);
  expect(await find(service, world, { q: 'ada', source: 'api' })).toEqual(['Ada alone']);
  expect(await find(service, world, { q: 'ada', source: 'bulk' })).toHaveLength(7);
  expect(await find(service, world, { q: 'bob', email: 'ada0@example.com' })).toEqual([]);
  const at = `/webinars/${world.webinar.id}/registrations?q=ada&source=bulk&limit=5`;
  const first = (await callRest(service, `GET ${at}`, { key: world.key })).json;
  const cursor = first.pagination.nextCursor;
  const second = (await callRest(service, `GET ${at}&cursor=${cursor}`, { key: world.key })).json;
  const found = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
  expect(found.toSorted()).toEqual(people.map(({ name }) => name));
  expect(second.pagination.hasMore).toBe(false);
});

test('a search never finds people of another workspace, and of another webinar only without one', async () => {
  await using service = await testApi();
  const [ours, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  const other = await createTestWorld(service, ours);
  for (const world of [ours, theirs, other]) await register(service, world);
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

test('a search among many registrations reads the index of words', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { sessionId } = (await register(service, world)).json.data;
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

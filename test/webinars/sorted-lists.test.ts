import { expect, test } from 'vitest';
import { register } from '../attendees/registrations.ts';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWorld,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';
import { daily, publish } from './session-world.ts';

/** The values of a field over all pages of a list, with `limit` on each. */
async function readAll(
  service: TestApi,
  { key, path, field, limit = 2 }: { key: string; path: string; field: string; limit?: number },
): Promise<string[]> {
  const values: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`;
    const { status, json } = await callRest(service, `GET ${at}`, { key });
    expect(status, at).toBe(200);
    values.push(...json.data.map((row: Record<string, string>) => row[field]));
    cursor = json.pagination.nextCursor;
  } while (cursor !== null);
  return values;
}

test('webinars are listed by title without regard to case, in both directions and over pages, with equal titles each once', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const titles = ['beta', 'Alpha', 'gamma', 'Beta', 'alpha', 'Delta', 'beta'];
  for (const title of titles) await callRest(service, 'POST /webinars', { key, body: { title } });
  const list = (query: string) => readAll(service, { key, path: `/webinars?${query}`, field: 'title' });

  const upwards = await list('sort=title');
  expect(upwards.map((title) => title.toLowerCase())).toEqual([
    'alpha',
    'alpha',
    'beta',
    'beta',
    'beta',
    'delta',
    'gamma',
  ]);
  expect(await list('sort=title&order=desc')).toEqual(upwards.toReversed());
  expect(await list('order=asc')).toEqual(titles);
  expect(await list('sort=createdAt')).toEqual(titles.toReversed());
  expect(await list('sort=title&q=a&status=draft')).toEqual(upwards);
});

test('a cursor of one order is refused in another', async () => {
  await using service = await testApi();
  const { key } = await createTestWorld(service);
  for (const title of ['One', 'Two']) await callRest(service, 'POST /webinars', { key, body: { title } });
  const page = await callRest(service, 'GET /webinars?sort=title&limit=1', { key });
  const cursor = page.json.pagination.nextCursor;
  const other = await callRest(service, `GET /webinars?sort=title&order=desc&limit=1&cursor=${cursor}`, {
    key,
  });
  expect([other.status, other.json.code]).toEqual([400, 'malformed_request']);
});

test('sessions are listed by start in both directions, over REST and in the dashboard', async () => {
  await using service = await testApi();
  const { key, webinar, ...account } = await publish(service, { recurrences: [daily] });
  const path = `/webinars/${webinar.id}/sessions`;
  const upwards = await readAll(service, { key, path: `${path}?sort=startsAt`, field: 'startsAt', limit: 7 });
  expect(upwards).toHaveLength(20);
  expect(upwards).toEqual(upwards.toSorted());
  const downwards = { key, path: `${path}?sort=startsAt&order=desc`, field: 'startsAt', limit: 7 };
  expect(await readAll(service, downwards)).toEqual(upwards.toReversed());

  const dashboard = await openDashboard(service, account);
  const starts = async (order?: 'asc' | 'desc') => {
    const input = { webinarId: webinar.id, when: 'upcoming', limit: 3, order };
    const sessions = await dashboard.query('sessions.listByStart', input);
    return sessions.map(({ startsAt }: { startsAt: string }) => startsAt);
  };
  expect(await starts()).toEqual(upwards.slice(0, 3));
  expect(await starts('desc')).toEqual(upwards.toReversed().slice(0, 3));
});

test('a list by start goes on after its last session was deleted', async () => {
  await using service = await testApi();
  const world = await publish(service, { recurrences: [daily] });
  const { key, webinar, ...account } = world;
  const path = `/webinars/${webinar.id}/sessions?sort=startsAt`;
  const starts = await readAll(service, { key, path, field: 'startsAt' });
  const first = await callRest(service, `GET ${path}&limit=7`, { key });
  const { send } = await signInMember(service, account);
  const shown = async (cursor?: string) => {
    const input = JSON.stringify({ webinarId: webinar.id, when: 'upcoming', limit: 7, cursor });
    const { json } = await send(`sessions.listByStart?input=${encodeURIComponent(input)}`);
    return json.result.data;
  };
  const { nextCursor } = (await shown()).pagination;

  const blackoutDates = [starts[6]!.slice(0, 10)];
  const body = { schedule: { recurrences: [daily], blackoutDates } };
  expect((await callRest(service, `PATCH /webinars/${webinar.id}`, { key, body })).status).toBe(200);
  const next = await callRest(service, `GET ${path}&limit=7&cursor=${first.json.pagination.nextCursor}`, {
    key,
  });
  const startsOf = (sessions: { startsAt: string }[]) => sessions.map(({ startsAt }) => startsAt);
  expect(startsOf(next.json.data)).toEqual(starts.slice(7, 14));
  expect(startsOf((await shown(nextCursor)).data)).toEqual(starts.slice(7, 14));
});

test('registrations are listed oldest first with order=asc, page after page and with filters', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  for (const email of emails) await register(service, world, { email });
  const { key } = world;
  const path = `/webinars/${world.webinar.id}/registrations`;
  expect(await readAll(service, { key, path: `${path}?order=asc`, field: 'email' })).toEqual(emails);
  expect(await readAll(service, { key, path, field: 'email' })).toEqual(emails.toReversed());
  const filtered = { key, path: `${path}?order=asc&status=registered`, field: 'email', limit: 1 };
  expect(await readAll(service, filtered)).toEqual(emails);
});

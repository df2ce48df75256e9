import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { codeOf, type TestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';
import { test } from '../support/service-test.ts';
import { daily, publish } from './session-world.ts';

/** The values of a field over all pages of a list, with `limit` on each. */
async function readAll(call: TestWorld['call'], route: string, field: string, limit = 2): Promise<string[]> {
  const values: string[] = [];
  let cursor = '';
  do {
    const page = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const { json } = await call(`${route}${route.includes('?') ? '&' : '?'}${page}`);
    values.push(...json.data.map((row: Record<string, string>) => row[field]));
    cursor = json.pagination.nextCursor;
  } while (cursor);
  return values;
}

test('webinars are listed by title without regard to case, in both directions and over pages, with equal titles each once', async ({
  service,
}) => {
  const { rest } = await publish(service, { onDemand: true }, { title: 'beta' });
  const titles = ['beta', 'Alpha', 'gamma', 'Beta', 'alpha', 'Delta', 'beta'];
  for (const title of titles.slice(1)) await rest('POST /webinars', { title });
  const list = (query: string) => readAll(rest, `GET /webinars?${query}`, 'title');
  const upwards = await list('sort=title');
  const inSmallLetters = titles.map((title) => title.toLowerCase()).toSorted();
  expect(upwards.map((title) => title.toLowerCase())).toEqual(inSmallLetters);
  expect(await list('sort=title&order=desc')).toEqual(upwards.toReversed());
  expect(await list('order=asc')).toEqual(titles);
  expect(await list('sort=createdAt')).toEqual(titles.toReversed());
  expect(await list('sort=title&q=a&status=draft')).toHaveLength(6);
  const { nextCursor } = (await rest('GET /webinars?sort=title&limit=1')).json.pagination;
  const other = await rest(`GET /webinars?sort=title&order=desc&limit=1&cursor=${nextCursor}`);
  expect(codeOf(other)).toEqual([400, 'malformed_request']);
});

test('sessions are listed by start in both directions, over REST and in the dashboard', async ({
  service,
}) => {
  const world = await publish(service, { recurrences: [daily] });
  const upwards = await readAll(world.call, 'GET /sessions?sort=startsAt', 'startsAt', 7);
  expect(upwards).toHaveLength(20);
  expect(upwards).toEqual(upwards.toSorted());
  const downwards = await readAll(world.call, 'GET /sessions?sort=startsAt&order=desc', 'startsAt', 7);
  expect(downwards).toEqual(upwards.toReversed());

  const dashboard = await openDashboard(service, world);
  const starts = async (order?: 'asc' | 'desc') => {
    const input = { webinarId: world.webinar.id, when: 'upcoming', limit: 3, order };
    const sessions = await dashboard.query('sessions.listByStart', input);
    return sessions.map(({ startsAt }: { startsAt: string }) => startsAt);
  };
  expect(await starts()).toEqual(upwards.slice(0, 3));
  expect(await starts('desc')).toEqual(upwards.toReversed().slice(0, 3));
});

test('a list by start goes on after its last session was deleted', async ({ service }) => {
  const world = await publish(service, { recurrences: [daily] });
  const route = 'GET /sessions?sort=startsAt';
  const starts = await readAll(world.call, route, 'startsAt', 20);
  const first = await world.call(`${route}&limit=7`);
  const { send } = await signInMember(service, world);
  const shown = async (cursor?: string) => {
    const input = JSON.stringify({ webinarId: world.webinar.id, when: 'upcoming', limit: 7, cursor });
    return (await send(`sessions.listByStart?input=${encodeURIComponent(input)}`)).json.result.data;
  };
  const { nextCursor } = (await shown()).pagination;

  const blackoutDates = [starts[6]!.slice(0, 10)];
  await world.call('PATCH ', { schedule: { recurrences: [daily], blackoutDates } });
  const next = await world.call(`${route}&limit=7&cursor=${first.json.pagination.nextCursor}`);
  const startsOf = (sessions: { startsAt: string }[]) => sessions.map(({ startsAt }) => startsAt);
  expect(startsOf(next.json.data)).toEqual(starts.slice(7, 14));
  expect(startsOf((await shown(nextCursor)).data)).toEqual(starts.slice(7, 14));
});

test('registrations are listed in both directions, page after page and with filters', async ({ world }) => {
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  for (const email of emails) await register(world, { email });
  const list = (query: string, limit = 2) =>
    readAll(world.call, `GET /registrations?${query}`, 'email', limit);
  expect(await list('order=asc')).toEqual(emails);
  expect(await list('order=desc')).toEqual(emails.toReversed());
  expect(await list('order=asc&status=registered', 1)).toEqual(emails);
});

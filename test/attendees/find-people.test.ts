import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';
import { register } from './registrations.ts';

test('the search finds a registration by the beginning of its name or address and by its id, in its own workspace only', async ({
  service,
}) => {
  const [mine, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  const { json } = await register(mine, { name: 'Grace Hopper', email: 'grace@navy.example' });
  const { id } = json.data;
  const [me, stranger] = [await openDashboard(service, mine), await openDashboard(service, theirs)];
  const found = { id, webinarId: mine.webinar.id, webinarTitle: 'Launch', name: 'Grace Hopper' };
  for (const q of ['g', 'hop', 'grace@navy', id]) {
    expect(await me.query('registrations.find', { q })).toMatchObject([found]);
    expect(await stranger.query('registrations.find', { q })).toEqual([]);
  }
  expect(await me.query('registrations.find', { q: 'opper' })).toEqual([]);
});

test('the search shows six people, however many match', async ({ service }) => {
  const mine = await createTestWorld(service);
  for (let index = 0; index < 8; index += 1)
    await register(mine, { name: 'Ada', email: `ada${index}@example.com` });
  const found = await (await openDashboard(service, mine)).query('registrations.find', { q: 'ada' });
  expect(found.map(({ email }: { email: string }) => email)).toEqual(
    [7, 6, 5, 4, 3, 2].map((index) => `ada${index}@example.com`),
  );
});

import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { test } from '../support/service-test.ts';
import { register, registerMany } from './registrations.ts';

test('a person is listed once, at the newest registration, with the counts of all webinars, in their own workspace only', async ({
  service,
}) => {
  const [mine, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  await register(mine, { name: 'Ada', email: 'ada@example.com' });
  await register(mine, { name: 'Grace', email: 'grace@navy.example' });
  const first = (await register(mine, { name: 'Ada', email: 'ada@example.com' })).json.data;
  await mine.call(`POST /registrations/${first.id}/cancel`);
  const second = (await register(mine, { name: 'Countess Lovelace', email: 'ADA@example.com' })).json.data;
  const [me, stranger] = [await openDashboard(service, mine), await openDashboard(service, theirs)];

  const people = await me.query('people.list', {});
  expect(people).toMatchObject([
    { id: second.id, name: 'Countess Lovelace', email: 'ada@example.com', registrations: 2, attended: 0 },
    { name: 'Grace', email: 'grace@navy.example', registrations: 1 },
  ]);
  expect(people).toHaveLength(2);
  for (const q of ['lovel', 'ada@example', 'countess ada'])
    expect(await me.query('people.list', { q })).toMatchObject([{ id: second.id }]);
  expect(await me.query('people.list', { q: 'unknown' })).toEqual([]);
  expect(await stranger.query('people.list', {})).toEqual([]);

  // Each registration names the person.
  for (const registrationId of [first.id, second.id]) {
    const person = await me.query('people.get', { registrationId });
    expect(person).toMatchObject({
      email: 'ada@example.com',
      names: ['Countess Lovelace', 'Ada'],
      isMore: false,
      registrations: [
        { id: second.id, webinarTitle: 'Launch', status: 'registered', attendance: null, watchedParts: [] },
        { id: first.id, status: 'cancelled' },
      ],
    });
    const events = await me.query('people.events', { registrationId });
    expect(events.map((event: { registrationId: string }) => event.registrationId)).toEqual([
      second.id,
      first.id,
    ]);
    for (const procedure of ['people.get', 'people.events'])
      expect(await refusalOf(stranger.query(procedure, { registrationId }))).toBe('registration_not_found');
  }

  // An archived webinar still has its page, a deleted one has none.
  const statuses = async () =>
    (await me.query('people.get', { registrationId: first.id })).registrations.map(
      ({ webinarStatus }: { webinarStatus: string | null }) => webinarStatus,
    );
  await mine.call('POST /archive');
  expect(await statuses()).toEqual(['archived', 'archived']);
  await me.mutate('webinars.delete', { webinarId: mine.webinar.id });
  expect(await statuses()).toEqual([null, null]);

  await me.mutate('registrations.erasePerson', { email: 'ada@example.com' });
  expect(await me.query('people.list', {})).toMatchObject([{ name: 'Grace' }]);
  expect(await refusalOf(me.query('people.get', { registrationId: second.id }))).toBe(
    'registration_not_found',
  );
});

test('the pages of the list have every person once, also where many registrations are of the same people', async ({
  service,
}) => {
  const world = await createTestWorld(service);
  const emails = Array.from({ length: 7 }, (_, index) => `person${index}@example.com`);
  await registerMany(
    world,
    emails.map((email) => ({ email })),
  );
  // Registrations that were cancelled make a run that is longer than the search of one page.
  await service.db.database.pool.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, status, registered_at)
     select r.account_id, gen_random_uuid(), r.webinar_id, r.session_id, r.name, r.email, 'api', 'cancelled', now()
     from attendees.registration r, generate_series(1, 90) where r.account_id = $1`,
    [world.accountId],
  );
  const client = await openDashboard(service, world);
  for (const q of [undefined, 'person'])
    expect((await readPages(client, { q })).flat().toSorted()).toEqual(emails);
});

test('a search reads 500 registrations for a page, and skips more without its words', async ({ service }) => {
  const world = await createTestWorld(service);
  const emails = Array.from({ length: 5 }, (_, index) => `ada${index}@example.com`);
  await registerMany(
    world,
    [...emails, 'grace@example.com'].map((email) => ({ email, name: 'Person' })),
  );
  let newer = 1000;
  const copy = (email: string) =>
    service.db.database.pool.query(
      `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, status, registered_at)
       select r.account_id, ('f0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, r.webinar_id, r.session_id, r.name,
         r.email, 'api', 'cancelled', now()
       from attendees.registration r, generate_series($3::int, $3 + 599) n
       where r.account_id = $1 and r.email = $2 and r.status <> 'cancelled'`,
      [world.accountId, email, newer],
    );
  await copy('grace@example.com');
  const client = await openDashboard(service, world);
  expect(await readPages(client, { q: 'ada' })).toEqual([
    ['ada4@example.com', 'ada3@example.com', 'ada2@example.com'],
    ['ada1@example.com', 'ada0@example.com'],
  ]);

  // First among the newest 500 registrations, then among the newest 500 that the index finds.
  for (const email of ['ada0@example.com', 'grace@example.com']) {
    newer += 1000;
    await copy(email);
    expect(await readPages(client, { q: 'ada' })).toEqual([
      ['ada0@example.com'],
      ['ada4@example.com', 'ada3@example.com', 'ada2@example.com'],
      ['ada1@example.com'],
    ]);
  }
});

type Client = Awaited<ReturnType<typeof openDashboard>>;

/** The addresses of each page. */
async function readPages({ send }: Client, { q }: { q: string | undefined }): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = encodeURIComponent(JSON.stringify({ limit: 3, cursor, q }));
    const { json } = await send(`people.list?input=${input}`);
    const { data, pagination } = json.result.data;
    pages.push(data.map(({ email }: { email: string }) => email));
    cursor = pagination.nextCursor;
  }
  return pages;
}

test('the trend counts registrations of 30 days and of the 30 days before, without cancelled and test ones', async ({
  service,
}) => {
  const [world, other] = [await createTestWorld(service), await createTestWorld(service)];
  await register(other);
  await registerMany(
    world,
    ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` })),
  );
  const cancelled = (await register(world, { email: 'd@example.com' })).json.data;
  await world.call(`POST /registrations/${cancelled.id}/cancel`);
  await service.db.database.pool.query(
    `update attendees.registration set status = 'attended' where account_id = $1 and email = 'a@example.com'`,
    [world.accountId],
  );
  const client = await openDashboard(service, world);
  expect(await client.query('people.trend')).toEqual({
    countedMax: 10_000,
    current: { registrations: 3, attended: 1, noShow: 0 },
    former: { registrations: 0, attended: 0, noShow: 0 },
  });
});

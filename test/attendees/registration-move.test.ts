import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { countRows, register } from './registrations.ts';

/** A webinar with a second session, an hour after the first. */
async function moveWorld(service: TestApi) {
  const world = await createTestWorld(service);
  const at = `/webinars/${world.webinar.id}`;
  const later = new Date(Date.parse(world.webinar.sessionTime) + 3_600_000).toISOString();
  const { key } = world;
  const made = await callRest(service, `POST ${at}/sessions`, {
    key,
    body: { startsAt: later, control: 'api' },
  });
  expect(made.status).toBe(201);
  return { ...world, at, later, laterId: made.json.data.id as string };
}

type World = Awaited<ReturnType<typeof moveWorld>>;

const move = (service: TestApi, { key, at }: World, id: string, sessionTime: string) =>
  callRest(service, `POST ${at}/registrations/${id}/move`, { key, body: { sessionTime } });

interface Counted {
  startsAt: string;
  registrationCount: number;
}

async function countsOf(service: TestApi, { key, at }: World): Promise<Record<string, number>> {
  const { json } = await callRest(service, `GET ${at}/sessions`, { key });
  return Object.fromEntries(
    json.data.map((session: Counted) => [session.startsAt, session.registrationCount]),
  );
}

const setCapacity = (service: TestApi, { key, at }: TestWorld & World, capacityPerSession: number) =>
  callRest(service, `PATCH ${at}`, { key, body: { registrationForm: { capacityPerSession } } });

test('a moved registration has its place in the other session only, with the same join link and no further event', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const first = (await register(service, world)).json.data;
  const moved = await move(service, world, first.id, world.later);
  expect(moved.status).toBe(200);
  expect(moved.json.data).toEqual({ ...first, sessionId: world.laterId, sessionTime: world.later });
  expect(await countsOf(service, world)).toEqual({ [world.webinar.sessionTime]: 0, [world.later]: 1 });
  expect((await move(service, world, first.id, world.later)).json).toEqual(moved.json);
  expect(await countsOf(service, world)).toEqual({ [world.webinar.sessionTime]: 0, [world.later]: 1 });
  expect(await countRows(service, 'attendees.attendee_event')).toBe(1);
  expect((await register(service, world)).status).toBe(201);
});

test('a move is refused into a time that is not offered, a full session, and a session with the same address', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const ada = (await register(service, world)).json.data;
  const other = new Date(Date.parse(world.later) + 60_000).toISOString();
  const nowhere = await move(service, world, ada.id, other);
  expect([nowhere.status, nowhere.json.code]).toEqual([422, 'session_time_unavailable']);
  expect(nowhere.json.details.nearest).toContain(world.later);

  await register(service, world, { sessionTime: world.later });
  const twice = await move(service, world, ada.id, world.later);
  expect([twice.status, twice.json.code]).toEqual([409, 'registration_exists']);

  await setCapacity(service, world, 1);
  const bob = (await register(service, world, { email: 'bob@example.com' })).json;
  expect(bob.code).toBe('session_full');
  await setCapacity(service, world, 2);
  const eve = (await register(service, world, { email: 'eve@example.com' })).json.data;
  await setCapacity(service, world, 1);
  const full = await move(service, world, eve.id, world.later);
  expect([full.status, full.json.code]).toEqual([409, 'session_full']);
  expect(await countsOf(service, world)).toEqual({ [world.webinar.sessionTime]: 2, [world.later]: 1 });
});

test('only an attendee who has not joined can be moved', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const { pool } = service.db.database;
  const ada = (await register(service, world)).json.data;
  for (const status of ['attending', 'attended', 'no_show']) {
    await pool.query('update attendees.registration set status = $1', [status]);
    const answer = await move(service, world, ada.id, world.later);
    expect([answer.status, answer.json.code], status).toEqual([409, 'registration_attended']);
  }
  await callRest(service, `POST ${world.at}/registrations/${ada.id}/cancel`, { key: world.key });
  const cancelled = await move(service, world, ada.id, world.later);
  expect([cancelled.status, cancelled.json.code]).toEqual([409, 'registration_cancelled']);
  expect(await countsOf(service, world)).toEqual({ [world.webinar.sessionTime]: 0, [world.later]: 0 });
});

test('the lobby visit of an attendee moves with them, and a first heartbeat before the move prevents it', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const { pool } = service.db.database;
  const visit = (id: string, firstJoinedAt: Date | null) =>
    pool.query(
      `insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at,
         first_joined_at)
       select account_id, id, webinar_id, session_id, '[]', now(), $2 from attendees.registration where id = $1`,
      [id, firstJoinedAt],
    );
  const ada = (await register(service, world)).json.data;
  await visit(ada.id, null);
  expect((await move(service, world, ada.id, world.later)).status).toBe(200);
  const { rows } = await pool.query('select session_id from attendees.attendance');
  expect(rows).toEqual([{ session_id: world.laterId }]);

  // The room skips a locked registration, so its status can be behind.
  const bob = (await register(service, world, { email: 'bob@example.com' })).json.data;
  await visit(bob.id, new Date());
  expect((await move(service, world, bob.id, world.later)).json.code).toBe('registration_attended');
});

test('of two people who are moved at once into a session with one free place, one gets it', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const people = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => register(service, world, { email: `${name}@example.com` })),
  );
  await setCapacity(service, world, 1);
  const answers = await Promise.all(
    people.flatMap(({ json }) => [
      move(service, world, json.data.id, world.later),
      move(service, world, json.data.id, world.later),
    ]),
  );
  const moved = answers.filter(({ status }) => status === 200);
  expect(new Set(moved.map(({ json }) => json.data.id)).size).toBe(1);
  expect(
    answers.filter(({ status }) => status !== 200).every(({ json }) => json.code === 'session_full'),
  ).toBe(true);
  expect(await countsOf(service, world)).toEqual({ [world.webinar.sessionTime]: 3, [world.later]: 1 });
});

test('moves to and fro beside cancellations and registrations leave right counts', async () => {
  await using service = await testApi();
  const world = await moveWorld(service);
  const { sessionTime } = world.webinar;
  const people = await Promise.all(
    Array.from({ length: 6 }, (_, n) => register(service, world, { email: `p${n}@example.com` })),
  );
  const answers = await Promise.all(
    people.flatMap(({ json: { data } }, n) => [
      move(service, world, data.id, world.later),
      move(service, world, data.id, sessionTime),
      ...(n % 2
        ? [callRest(service, `POST ${world.at}/registrations/${data.id}/cancel`, { key: world.key })]
        : []),
      register(service, world, { email: data.email, sessionTime: world.later }),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { rows } = await service.db.database.pool.query(
    `select s.registered_count::int as counted, count(r.id) filter (where r.status <> 'cancelled')::int as live
     from webinars.session s left join attendees.registration r on r.session_id = s.id group by s.account_id, s.id`,
  );
  for (const { counted, live } of rows) expect(counted).toBe(live);
});

test('a registration of another workspace or webinar cannot be moved', async () => {
  await using service = await testApi();
  const [ours, theirs] = [await moveWorld(service), await moveWorld(service)];
  const { id } = (await register(service, theirs)).json.data;
  const answer = await move(service, ours, id, ours.later);
  expect([answer.status, answer.json.code]).toEqual([404, 'registration_not_found']);
  const foreign = await move(service, { ...ours, at: theirs.at }, id, ours.later);
  expect([foreign.status, foreign.json.code]).toEqual([404, 'webinar_not_found']);
});

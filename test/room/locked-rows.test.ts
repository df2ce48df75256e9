// A long transaction (an operator's, a bulk call's, a stuck worker's) locks rows of a room. Only calls that need these rows wait.
import { createEventSubscriber } from '@service/automations';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom } from '@service/attendees';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee, RoomAnswer } from '../support/attendee.ts';
import { lockRows } from '../support/lock-rows.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let neighbour: World;
let poll: string;
let offer: string;
let bob: Attendee;
let eve: Attendee;
beforeAll(async () => {
  // As long as a slow machine takes to answer the others.
  world = await createWorld({ roomWaitMaxMs: 60_000 });
  neighbour = await world.neighbour();
  poll = await world.interaction({
    type: 'poll',
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
  });
  offer = await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  bob = await world.attend('bob@example.com');
  eve = await neighbour.attend('eve@example.com');
  world.startSession();
  for (const attendee of [bob, eve]) await attendee.beat();
});
afterAll(() => world[Symbol.asyncDispose]());

/** An attendee of the first account who is in the room. */
async function join(email: string): Promise<Attendee> {
  const attendee = await world.attend(email);
  expect((await attendee.beat()).status).toBe(200);
  return attendee;
}

const lock = (sql: string, ...values: unknown[]) => lockRows(world.service.db.database.pool, sql, values);
const lockAttendance = ({ registrationId }: Attendee) =>
  lock('select from attendees.attendance where registration_id = $1 for update', registrationId);
const lockRegistration = ({ registrationId }: Attendee) =>
  lock('select from attendees.registration where id = $1 for update', registrationId);

/** The statuses of calls that must be answered while rows are locked. */
const statusesOf = async (...calls: Promise<RoomAnswer>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status);

test('while an attendance is locked and its attendee calls repeatedly, all other attendees are answered', async () => {
  const ada = await join('ada@example.com');
  await using locked = await lockAttendance(ada);
  const waiting: Promise<RoomAnswer>[] = [];
  for (let count = 0; count < 6; count += 1) {
    waiting.push(ada.beat());
    expect(await statusesOf(bob.beat(), eve.beat())).toEqual([200, 200]);
  }
  await locked.release();
  expect(await statusesOf(...waiting)).toEqual(Array(6).fill(200));
});

test('while a registration is locked, its attendee cannot join and all others can', async () => {
  const [zoe, kim] = [await world.attend('zoe@example.com'), await world.attend('kim@example.com')];
  await zoe.visit();
  await kim.visit();
  await using locked = await lockRegistration(zoe);
  const waiting = zoe.beat();
  expect(await statusesOf(kim.beat(), bob.beat(), eve.beat())).toEqual([200, 200, 200]);
  await locked.release();
  expect((await waiting).status).toBe(200);
  const events = await world.get(`/registrations/${zoe.registrationId}/events`);
  expect(events.filter(({ type }: { type: string }) => type === 'joined')).toHaveLength(1);
});

test('while another transaction inserts a first visit, all other attendees are answered', async () => {
  const max = await world.attend('max@example.com');
  await using locked = await lock(
    `insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at)
     select account_id, id, webinar_id, session_id, '[]', now() from attendees.registration where id = $1`,
    max.registrationId,
  );
  const waiting = max.visit();
  expect(await statusesOf(bob.beat(), eve.beat())).toEqual([200, 200]);
  await locked.release();
  expect((await waiting).status).toBe(201);
});

test('while the counts of a poll are locked, votes in it wait and all other calls are answered', async () => {
  const voters = [await join('one@example.com'), await join('two@example.com')];
  expect((await bob.answer(poll, 'yes')).status).toBe(201);
  await using locked = await lock(
    'select from attendees.poll_count where interaction_id = $1 for update',
    poll,
  );
  const waiting = voters.map((voter) => voter.answer(poll, 'yes'));
  expect(await statusesOf(bob.beat(), bob.click(offer), eve.beat())).toEqual([200, 201, 200]);
  await locked.release();
  expect(await statusesOf(...waiting)).toEqual([201, 201]);
  const { json } = await bob.answer(poll, 'yes');
  expect(json.results).toMatchObject([
    { optionId: 'yes', count: 3 },
    { optionId: 'no', count: 0 },
  ]);
});

test('a call that waits too long for a locked row is refused with room_busy, and changes nothing', async () => {
  const ada = await join('late@example.com');
  const { database } = world.service.db;
  const log = createLog('test', { level: 'silent' });
  const subscriber = createEventSubscriber({
    deliveries: {
      enqueue: async () => [],
      requireRoom: async () => undefined,
      deleteEndpoints: async () => undefined,
    },
    database,
    log,
  });
  const joinLinks = createJoinLinks({ key: 'test', baseUrl: 'http://localhost' });
  const room = createRoom({
    database,
    joinLinks,
    subscriber,
    announce: () => undefined,
    now: world.clock.now,
    waitMaxMs: 200,
  });
  const { accountId } = world;
  const tokenOf = ({ registrationId }: Attendee) => ({ accountId, registrationId, tokenVersion: 1 });
  const locked = await lockAttendance(ada);
  const waiting = room.click(tokenOf(ada), offer);
  await expect(waiting).rejects.toMatchObject({ code: 'room_busy', retryAfterSeconds: 2 });
  await expect(room.click(tokenOf(bob), offer)).resolves.toMatchObject({ redirectUrl: expect.any(String) });
  await locked.release();
  await room.close();
  await subscriber.close();
  const events = await world.get(`/registrations/${ada.registrationId}/events`);
  expect(events.filter(({ type }: { type: string }) => type === 'cta_click')).toEqual([]);
});

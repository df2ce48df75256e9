// The ids of a registration are in every webhook. With them alone a stranger must neither reach the room nor use up limits of the
// attendee.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttendee, type Attendee } from '../support/attendee.ts';
import { forgeToken, formerToken } from '../support/former-token.ts';
import { lockRows } from '../support/lock-rows.ts';
import { createWorld, type World } from '../support/world.ts';
import { askEverything } from './ask-everything.ts';

let world: World;
let offer: string;
beforeAll(async () => {
  world = await createWorld();
  offer = await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  world.startSession();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The same attendee with another text as the token. */
const withToken = ({ registrationId: id, sessionId }: Attendee, token: string): Attendee =>
  createAttendee(world.service, { id, sessionId, joinUrl: `/room/${token}` }, world.clock);

const formerOf = ({ registrationId }: Attendee, interactionId?: string): string =>
  formerToken({ accountId: world.accountId, registrationId, interactionId });

/** Tokens of both forms that a stranger can make from the ids. */
const forgedOf = (attendee: Attendee): Attendee[] =>
  [attendee.token, formerOf(attendee)].map((token) => withToken(attendee, forgeToken(token)));

const clickUrlOf = (token: string): string => `${world.service.baseUrl}/r/${token}`;

test('a forged token is refused before anything is locked or written', async () => {
  const { pool } = world.service.db.database;
  const bob = await world.attend('bob@example.com');
  // A call that touches a locked row would wait.
  await using _locked = await lockRows(pool, 'select from attendees.registration where id = $1 for update', [
    bob.registrationId,
  ]);
  await using _visit = await lockRows(
    pool,
    `insert into attendees.attendance (account_id, registration_id, webinar_id, session_id, visits, first_visit_at)
     select account_id, id, webinar_id, session_id, '[]', now() from attendees.registration where id = $1`,
    [bob.registrationId],
  );
  for (const forged of forgedOf(bob)) {
    for (const [route, answer] of await askEverything(forged))
      expect(answer, route).toEqual([410, 'join_link_expired']);
  }
  for (const token of [(await world.attend('cleo@example.com')).token, bob.token].map(forgeToken))
    expect((await bob.follow(clickUrlOf(token))).status).toBe(410);
  expect((await bob.follow(clickUrlOf(forgeToken(formerOf(bob, offer))))).status).toBe(410);
  await _visit.release();
  await _locked.release();
  const { rows } = await pool.query('select from attendees.attendance where registration_id = $1', [
    bob.registrationId,
  ]);
  expect(rows).toEqual([]);
});

test('a flood of forged tokens uses up no limits of the attendee, even from the same IP address', async () => {
  world.clock.advance(120);
  const ada = await world.attend('ada@example.com');
  const old = withToken(ada, formerOf(ada));
  expect((await old.visit()).status).toBe(201);
  const { clickUrl } = (await ada.visit()).json.interactions[0];
  const codes = new Map<string, number>();
  const forged = forgedOf(ada);
  for (let count = 0; count < 400; count += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => forged[index % 2]!.call('POST /visits')),
    );
    for (const { status, json } of answers) {
      const key = `${status} ${json.code}`;
      codes.set(key, (codes.get(key) ?? 0) + 1);
    }
  }
  expect(Object.fromEntries(codes)).toEqual({
    '410 join_link_expired': 100,
    '429 too_many_invalid_links': 300,
  });
  const stranger = await forged[0]!.poll();
  expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([429, '1']);
  // A new link, its click link, and an old link that was proved before the flood.
  expect((await ada.visit()).status).toBe(201);
  expect((await ada.poll()).status).toBe(200);
  expect((await ada.follow(clickUrl)).status).toBe(302);
  expect((await old.beat()).status).toBe(200);
  // An old link that comes for the first time shares the address with the flood until it ebbs.
  const late = await world.attend('late@example.com');
  const lateOld = withToken(late, formerOf(late));
  expect((await lateOld.visit()).json.code).toBe('too_many_invalid_links');
  world.clock.advance(1);
  expect((await lateOld.visit()).status).toBe(201);
});

test('links of the former form work in every call until they are rotated', async () => {
  world.clock.advance(120);
  const eve = await world.attend('eve@example.com');
  const old = withToken(eve, formerOf(eve));
  expect((await old.visit()).status).toBe(201);
  expect((await old.beat()).status).toBe(200);
  expect((await old.click(offer)).status).toBe(201);
  expect((await old.poll()).status).toBe(200);
  const oldClick = clickUrlOf(formerOf(eve, offer));
  expect((await eve.follow(oldClick)).status).toBe(302);

  const { joinUrl } = await world.create(`/registrations/${eve.registrationId}/rotate-token`);
  for (const rotated of [old, eve]) {
    for (const [route, answer] of await askEverything(rotated))
      expect(answer, route).toEqual([410, 'join_link_expired']);
  }
  expect((await eve.follow(oldClick)).status).toBe(410);
  const renewed = withToken(eve, joinUrl!.split('/').at(-1)!);
  expect((await renewed.visit()).status).toBe(201);
  const second = formerToken({
    accountId: world.accountId,
    registrationId: eve.registrationId,
    tokenVersion: 2,
  });
  expect((await withToken(eve, second).visit()).status).toBe(201);
});

test('calls with an old link do not count for the limits of the new link', async () => {
  world.clock.advance(120);
  const kim = await world.attend('kim@example.com');
  const { joinUrl } = await world.create(`/registrations/${kim.registrationId}/rotate-token`);
  const renewed = withToken(kim, joinUrl!.split('/').at(-1)!);
  const statuses = new Set<number>();
  for (let count = 0; count < 320; count += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => kim.call('POST /messages')));
    for (const { status } of answers) statuses.add(status);
  }
  // A message without a body is refused late, by what is wrong with it.
  expect([...statuses].toSorted((one, other) => one - other)).toEqual([422, 429]);
  expect((await renewed.visit()).status).toBe(201);
});

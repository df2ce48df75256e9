import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { createWorld, type World } from '../support/world.ts';
import { createFork } from '../webinars/adaptive-world.ts';

let world: World;
let poll: string;
let offer: string;
let ada: Attendee;
beforeAll(async () => {
  world = await createWorld();
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  poll = await world.interaction({ type: 'poll', options });
  offer = await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  ada = await world.attend();
  world.startSession();
});
afterAll(() => world[Symbol.asyncDispose]());

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('the answer to a visit has everything that a player needs, and nothing internal', async () => {
  const answer = await ada.visit();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const clickUrl = expect.stringMatching(`^${world.service.baseUrl}/r/[\\w-]{91}$`);
  expect(answer.json).toMatchObject({
    visitId: uuid,
    serverNow: world.clock.now().toISOString(),
    webinar: { id: world.webinar.id, title: 'Launch', chatMode: 'public', durationSeconds: 600 },
    session: { status: 'live', startsAt: world.webinar.sessionTime, endsAt: instant, positionSeconds: 1 },
    interactions: [
      { id: poll, type: 'poll', answered: [] },
      { id: offer, type: 'offer', clickUrl },
    ],
  });
  expect(answer.text).not.toMatch(/Internal|shop\.example/);
});

test('calls without input need no body, and unknown fields are ignored', async () => {
  const bodies = [undefined, '', '{}', '{"player":{"name":"x","versions":[1]}}'];
  for (const body of bodies) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await ada.call('POST /visits', body === undefined ? {} : { body, headers });
    expect(answer.status, body).toBe(201);
  }
});

test('the answer to a heartbeat has the position and the watch progress', async () => {
  await ada.visit();
  const before = await ada.beat({ visible: false });
  expect(before.status).toBe(200);
  const after = await ada.watch(60);
  expect(after.json).toEqual({
    serverNow: world.clock.now().toISOString(),
    status: 'live',
    positionSeconds: before.json.positionSeconds + 60,
    watchedSeconds: before.json.watchedSeconds + 60,
    completionPercent: 10,
  });
});

test('the last heartbeat of a page is accepted as JSON and as a plain text beacon', async () => {
  const bob = await world.attend('bob@example.com');
  await bob.visit();
  const isLeaving = async () => {
    const { rows } = await world.service.db.database.pool.query(
      'select leaving_at from attendees.attendance where registration_id = $1',
      [bob.registrationId],
    );
    return rows[0].leaving_at !== null;
  };
  for (const type of ['application/json', 'text/plain;charset=UTF-8', 'text/plain']) {
    await bob.beat();
    expect(await isLeaving()).toBe(false);
    const answer = await bob.leave({ state: 'paused' }, type);
    expect([answer.status, answer.text], type).toEqual([204, '']);
    expect(await isLeaving()).toBe(true);
    world.clock.advance(1);
  }
});

test('clicks, answers and messages are created', async () => {
  const click = await ada.click(offer);
  const redirectUrl = expect.stringMatching(/^https:\/\/shop\.example\/\?svc_click=[0-9a-f-]{36}$/);
  expect([click.status, click.json]).toEqual([201, { redirectUrl }]);
  const answer = await ada.answer(poll, 'yes');
  const results = [
    { optionId: 'yes', label: 'Yes', count: 1 },
    { optionId: 'no', label: 'No', count: 0 },
  ];
  expect([answer.status, answer.json]).toEqual([201, { results }]);
  const message = await ada.say('  Hello  ');
  expect([message.status, message.json]).toEqual([
    201,
    { id: uuid, sentAt: world.clock.now().toISOString() },
  ]);
  const { items } = (await ada.poll()).json;
  const [session, said] = items;
  expect(session).toMatchObject({ type: 'session', status: 'live', startsAt: world.webinar.sessionTime });
  expect(said).toEqual({
    type: 'message',
    ...message.json,
    name: 'ada',
    text: 'Hello',
    own: true,
    role: 'attendee',
    replyTo: null,
  });
});

test('a viewer of an adaptive webinar takes a branch and gets the new path state', async () => {
  await using adaptive = await createWorld({ publish: false, webinar: { kind: 'adaptive' } });
  const { accountId, key, webinar, create, rest } = adaptive;
  const fork = await createFork({ accountId, key, webinarId: webinar.id, create, call: rest });
  await adaptive.publish();
  const viewer = await adaptive.attend();
  adaptive.startSession();
  const { path } = (await viewer.visit()).json;
  expect(path).toMatchObject({ segmentId: fork['intro'], choices: [{ branchId: fork['intro>long'] }] });
  const taken = await viewer.take(fork['intro>long']!);
  expect(taken.status).toBe(201);
  expect(taken.json).toEqual({
    segmentId: fork['long'],
    title: 'Long',
    videoUrl: null,
    durationSeconds: 600,
    isTerminal: false,
    inTransition: false,
    choices: [],
    defaultBranchId: fork['long>end'],
    nextVideoUrls: [],
  });
});

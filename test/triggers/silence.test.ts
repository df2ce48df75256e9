// Disabled rules, drafts and archived webinars send nothing. Each test has a counterpart that does send.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askEverything } from '../room/ask-everything.ts';
import type { Hook, TestWebinar } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const offerFields = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };

test('a disabled rule and an inactive subscription get no webhook and no execution', async () => {
  const webinar = await world.createWebinar();
  const offer = await webinar.interaction(offerFields);
  const types = ['registered', 'joined', 'cta_click', 'left'];
  const on = await webinar.subscribe(types);
  const off = await webinar.subscribe(types, { active: false });
  const rules: Hook[] = [];
  for (const type of types) rules.push(await webinar.rule(type, {}, { enabled: false }));
  const guest = await webinar.attend();
  webinar.start();
  await guest.beat();
  // Wait for these first: switching off cancels waiting deliveries.
  expect(await webinar.typesSent(on)).toEqual(['registered', 'joined']);
  expect((await webinar.rest(`PATCH .${on.path}`, { active: false })).status).toBe(200);
  await guest.click(offer);
  await guest.leave();
  world.clock.advance(60);
  await world.tick();
  expect(await webinar.typesSent(on)).toEqual(['registered', 'joined']);
  for (const hook of [off, ...rules]) expect(await webinar.typesSent(hook)).toEqual([]);
  expect((await webinar.executions()).map(({ eventType }) => eventType)).toEqual(['registered', 'joined']);
});

test('a draft accepts no registration', async () => {
  const webinar = await world.createWebinar({ publish: false });
  const rule = await webinar.rule('registered');
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const { status, json } = await webinar.rest('POST ./registrations', body);
  expect([status, json.code]).toEqual([409, 'webinar_not_published']);
  await webinar.create('/publish');
  await webinar.attend('Bob');
  const emails = (await webinar.sent(rule)).map(({ body }) => body.attendee.email);
  expect(emails).toEqual(['bob@example.com']);
});

interface Story {
  webinar: TestWebinar;
  hooks: Hook[];
}

/** An ended session with one attendee who came and one who did not, and rules that fire after it. */
async function endedSession(): Promise<Story> {
  const webinar = await world.createWebinar();
  const hooks = [
    await webinar.rule('joined'),
    await webinar.rule('left'),
    await webinar.rule('no_show'),
    await webinar.rule('after_session', { offsetMinutes: 5 }),
    await webinar.rule('time_elapsed_after_event', { event: 'joined', delayMinutes: 30 }),
  ];
  const sessionTime = new Date(Date.parse(webinar.sessionTime) + 3_600_000).toISOString();
  const { id } = await webinar.create('/sessions', { startsAt: sessionTime, control: 'api' });
  const there = await webinar.attend('There', { sessionTime });
  await webinar.attend('Absent', { sessionTime });
  await webinar.create(`/sessions/${id}/progress`, { action: 'start' });
  await there.beat();
  await webinar.create(`/sessions/${id}/progress`, { action: 'end' });
  return { webinar, hooks };
}

async function sentAnHourLater({ webinar, hooks }: Story): Promise<string[]> {
  world.clock.advance(3600);
  await world.tick();
  const sent: string[] = [];
  for (const hook of hooks) sent.push(...(await webinar.typesSent(hook)));
  return sent;
}

/** The API answers 404 for an archived webinar, so its executions are read from the database. */
async function outcomesOf({ id }: TestWebinar): Promise<string[]> {
  const { rows } = await world.service.db.database.pool.query(
    'select event_type, skip_reason from automations.execution where webinar_id = $1 order by id',
    [id],
  );
  return rows.map((row) => `${row.event_type} ${row.skip_reason ?? 'matched'}`);
}

test('after the session, the clock and the timers of a published webinar fire rules', async () => {
  const types = ['joined', 'left', 'no_show', 'after_session', 'after_session', 'time_elapsed_after_event'];
  expect(await sentAnHourLater(await endedSession())).toEqual(types);
});

test.each([
  ['unpublish', 'webinar_unpublished'],
  ['archive', 'webinar_archived'],
])('after %s the clock publishes nothing and timers are skipped as %s', async (retire, reason) => {
  const story = await endedSession();
  await story.webinar.create(`/${retire}`);
  expect(await sentAnHourLater(story)).toEqual(['joined']);
  expect((await outcomesOf(story.webinar)).toSorted()).toEqual([
    `after_session ${reason}`,
    `after_session ${reason}`,
    'joined matched',
    `time_elapsed_after_event ${reason}`,
  ]);
});

test('archiving a live webinar closes its room and fires nothing more', async () => {
  const webinar = await world.createWebinar();
  await webinar.interaction(offerFields);
  const hooks = [
    await webinar.rule('joined'),
    await webinar.rule('left'),
    await webinar.rule('cta_click'),
    await webinar.rule('chat_response'),
    await webinar.rule('no_show'),
    await webinar.rule('after_session', { offsetMinutes: 5 }),
  ];
  const guest = await webinar.attend();
  webinar.start();
  await guest.beat();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  await webinar.create('/archive');
  for (const [route, answer] of await askEverything(guest))
    expect(answer, route).toEqual([410, 'join_link_expired']);
  expect((await guest.follow(clickUrl)).status).toBe(410);
  expect(await sentAnHourLater({ webinar, hooks })).toEqual(['joined']);
  expect(await outcomesOf(webinar)).toEqual(['joined matched']);
});

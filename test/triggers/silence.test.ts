// What is switched off, not published or put away hears nothing. Beside each story that stays silent is one that does not.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askEverything } from '../room/ask-everything.ts';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const offerFields = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };

test('a rule that is disabled and a subscription that is inactive are sent nothing and look at nothing', async () => {
  const show = await world.show();
  const offer = await show.interaction(offerFields);
  const types = ['registered', 'joined', 'cta_click', 'left'];
  const on = await show.subscribe(types);
  const off = await show.subscribe(types, { active: false });
  const rules: Hook[] = [];
  for (const type of types) rules.push(await show.rule(type, {}, { enabled: false }));
  const guest = await show.attend();
  show.start();
  await guest.beat();
  // Sent before it is switched off: what waits then is cancelled.
  expect(await show.typesSent(on)).toEqual(['registered', 'joined']);
  expect((await show.rest(`PATCH .${on.path}`, { active: false })).status).toBe(200);
  await guest.click(offer);
  await guest.leave();
  world.clock.advance(60);
  await world.tick();
  expect(await show.typesSent(on)).toEqual(['registered', 'joined']);
  for (const hook of [off, ...rules]) expect(await show.typesSent(hook)).toEqual([]);
  expect((await show.executions()).map(({ eventType }) => eventType)).toEqual(['registered', 'joined']);
});

test('nobody can be registered for a draft', async () => {
  const show = await world.show({ publish: false });
  const rule = await show.rule('registered');
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: show.sessionTime };
  const { status, json } = await show.rest('POST ./registrations', body);
  expect([status, json.code]).toEqual([409, 'webinar_not_published']);
  await show.create('/publish');
  await show.attend('Bob');
  const emails = (await show.sent(rule)).map(({ body }) => body.attendee.email);
  expect(emails).toEqual(['bob@example.com']);
});

interface Story {
  show: Show;
  hooks: Hook[];
}

/** What has happened to the rules of a session that has ended with somebody in it, and that time goes on for. */
async function ended(): Promise<Story> {
  const show = await world.show();
  const hooks = [
    await show.rule('joined'),
    await show.rule('left'),
    await show.rule('no_show'),
    await show.rule('after_session', { offsetMinutes: 5 }),
    await show.rule('time_elapsed_after_event', { event: 'joined', delayMinutes: 30 }),
  ];
  const sessionTime = new Date(Date.parse(show.sessionTime) + 3_600_000).toISOString();
  const { id } = await show.create('/sessions', { startsAt: sessionTime, control: 'api' });
  const there = await show.attend('There', { sessionTime });
  await show.attend('Absent', { sessionTime });
  await show.create(`/sessions/${id}/progress`, { action: 'start' });
  await there.beat();
  await show.create(`/sessions/${id}/progress`, { action: 'end' });
  return { show, hooks };
}

async function goOn({ show, hooks }: Story): Promise<string[]> {
  world.clock.advance(3600);
  await world.tick();
  const sent: string[] = [];
  for (const hook of hooks) sent.push(...(await show.typesSent(hook)));
  return sent;
}

const isLooked = async ({ id }: Show): Promise<number> => {
  const { pool } = world.service.db.database;
  return (await pool.query('select from automations.execution where webinar_id = $1', [id])).rowCount!;
};

test('time goes on for a webinar that is published', async () => {
  const types = ['joined', 'left', 'no_show', 'after_session', 'after_session', 'time_elapsed_after_event'];
  expect(await goOn(await ended())).toEqual(types);
});

test.each(['unpublish', 'archive'])('and not after %s', async (retire) => {
  const story = await ended();
  await story.show.create(`/${retire}`);
  expect(await goOn(story)).toEqual(['joined']);
  expect(await isLooked(story.show)).toBe(1);
});

test('in a webinar that is archived while it is live everything is gone', async () => {
  const show = await world.show();
  await show.interaction(offerFields);
  const hooks = [
    await show.rule('joined'),
    await show.rule('left'),
    await show.rule('cta_click'),
    await show.rule('chat_response'),
    await show.rule('no_show'),
    await show.rule('after_session', { offsetMinutes: 5 }),
  ];
  const guest = await show.attend();
  show.start();
  await guest.beat();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  await show.create('/archive');
  for (const [route, answer] of await askEverything(guest))
    expect(answer, route).toEqual([410, 'join_link_expired']);
  expect((await guest.follow(clickUrl)).status).toBe(410);
  expect(await goOn({ show, hooks })).toEqual(['joined']);
  expect(await isLooked(show)).toBe(1);
});

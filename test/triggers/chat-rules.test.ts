// Rules on chat messages: keywords and fire modes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hook, TestWebinar } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const everyMatch = { fireMode: 'every_match' };

const messagesSent = async (webinar: TestWebinar, hook: Hook): Promise<string[]> =>
  (await webinar.sent(hook)).map(({ body }) => body.event_data.message);

test('a keyword is compared in four ways, without regard to case, width or spaces', async () => {
  const webinar = await world.createWebinar();
  const matching: Record<string, string[]> = {
    contains: ['Priceless', 'What is the  PRICE?', 'price', 'ｐｒｉｃｅ list'],
    contains_word: ['What is the  PRICE?', 'price', 'ｐｒｉｃｅ list'],
    equals: ['price'],
    starts_with: ['Priceless', 'price', 'ｐｒｉｃｅ list'],
  };
  const rules: Record<string, Hook> = {};
  for (const match of Object.keys(matching))
    rules[match] = await webinar.rule('chat_response', { keywords: ['never', 'price'], match }, everyMatch);
  const twoWords = { keywords: ['the price'], match: 'contains_word' };
  rules['twoWords'] = await webinar.rule('chat_response', twoWords, everyMatch);
  matching['twoWords'] = ['What is the  PRICE?'];
  const guest = await webinar.attend();
  webinar.start();
  for (const message of ['Priceless', 'Hello', 'What is the  PRICE?', 'price', 'ｐｒｉｃｅ list', 'Pr ice'])
    expect((await guest.say(message)).status).toBe(201);

  for (const [match, rule] of Object.entries(rules)) {
    expect(await messagesSent(webinar, rule), match).toEqual(matching[match]);
    // A message without the keyword has no execution.
    expect(await webinar.outcomes(rule), match).toEqual(matching[match]!.map(() => 'matched'));
  }
});

test('a chat rule fires once for an attendee in a session, or on every match if it says so', async () => {
  const webinar = await world.createWebinar();
  const params = { keywords: ['price'] };
  const once = await webinar.rule('chat_response', params);
  const every = await webinar.rule('chat_response', params, everyMatch);
  const any = await webinar.rule('chat_response', {}, everyMatch);
  const [ada, bob] = [await webinar.attend('Ada'), await webinar.attend('Bob')];
  webinar.start();
  await ada.say('Hello');
  await ada.say('price 1');
  await bob.say('price 2');
  await ada.say('price 3');
  await ada.say('price 3');
  expect(await messagesSent(webinar, once)).toEqual(['price 1', 'price 2']);
  expect(await webinar.outcomes(once)).toEqual(['matched', 'matched', 'already_fired', 'already_fired']);
  expect(await messagesSent(webinar, every)).toEqual(['price 1', 'price 2', 'price 3', 'price 3']);
  expect(await messagesSent(webinar, any)).toEqual(['Hello', 'price 1', 'price 2', 'price 3', 'price 3']);
  const ids = (await webinar.sent(any)).map(({ body }) => body.event_data.message_event_id);
  expect(new Set(ids).size).toBe(5);
});

test('a condition on the chat applies to the message itself, and for other events to any message of the attendee', async () => {
  const webinar = await world.createWebinar();
  const cta = await webinar.interaction({ type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' });
  const conditions = [{ field: 'chatMessage', operator: 'contains', value: 'price' }];
  const chat = await webinar.rule('chat_response', {}, { conditions, ...everyMatch });
  const click = await webinar.rule('cta_click', {}, { conditions });
  const guest = await webinar.attend();
  webinar.start();
  await guest.say('The price?');
  await guest.say('Hello');
  await guest.click(cta);
  expect(await webinar.outcomes(chat)).toEqual(['matched', 'condition_not_met']);
  expect(await messagesSent(webinar, chat)).toEqual(['The price?']);
  const [execution] = await webinar.executions(click);
  expect([execution.outcome, execution.conditions[0].actual]).toEqual(['matched', ['Hello', 'The price?']]);
});

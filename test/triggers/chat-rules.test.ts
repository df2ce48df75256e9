// Rules on chat: what they hear, and how often they fire.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const everyMatch = { fireMode: 'every_match' };

const messagesSent = async (show: Show, hook: Hook): Promise<string[]> =>
  (await show.sent(hook)).map(({ body }) => body.event_data.message);

test('a keyword is heard in four ways, without regard to case, width or spaces', async () => {
  const show = await world.show();
  const heard: Record<string, string[]> = {
    contains: ['Priceless', 'What is the  PRICE?', 'price', 'ｐｒｉｃｅ list'],
    contains_word: ['What is the  PRICE?', 'price', 'ｐｒｉｃｅ list'],
    equals: ['price'],
    starts_with: ['Priceless', 'price', 'ｐｒｉｃｅ list'],
  };
  const rules: Record<string, Hook> = {};
  for (const match of Object.keys(heard))
    rules[match] = await show.rule('chat_response', { keywords: ['never', 'price'], match }, everyMatch);
  const twoWords = { keywords: ['the price'], match: 'contains_word' };
  rules['twoWords'] = await show.rule('chat_response', twoWords, everyMatch);
  heard['twoWords'] = ['What is the  PRICE?'];
  const guest = await show.attend();
  show.start();
  for (const message of ['Priceless', 'Hello', 'What is the  PRICE?', 'price', 'ｐｒｉｃｅ list', 'Pr ice'])
    expect((await guest.say(message)).status).toBe(201);

  for (const [match, rule] of Object.entries(rules)) {
    expect(await messagesSent(show, rule), match).toEqual(heard[match]);
    // What holds no keyword was not looked at.
    expect(await show.outcomes(rule), match).toEqual(heard[match]!.map(() => 'matched'));
  }
});

test('it fires once for an attendee in a session, unless it is to fire on every match', async () => {
  const show = await world.show();
  const params = { keywords: ['price'] };
  const once = await show.rule('chat_response', params);
  const every = await show.rule('chat_response', params, everyMatch);
  const any = await show.rule('chat_response', {}, everyMatch);
  const [ada, bob] = [await show.attend('Ada'), await show.attend('Bob')];
  show.start();
  await ada.say('Hello');
  await ada.say('price 1');
  await bob.say('price 2');
  await ada.say('price 3');
  await ada.say('price 3');
  expect(await messagesSent(show, once)).toEqual(['price 1', 'price 2']);
  expect(await show.outcomes(once)).toEqual(['matched', 'matched', 'already_fired', 'already_fired']);
  expect(await messagesSent(show, every)).toEqual(['price 1', 'price 2', 'price 3', 'price 3']);
  expect(await messagesSent(show, any)).toEqual(['Hello', 'price 1', 'price 2', 'price 3', 'price 3']);
  const ids = (await show.sent(any)).map(({ body }) => body.event_data.message_event_id);
  expect(new Set(ids).size).toBe(5);
});

test('a condition on what was said is about this message, and elsewhere about any', async () => {
  const show = await world.show();
  const cta = await show.interaction({ type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' });
  const conditions = [{ field: 'chatMessage', operator: 'contains', value: 'price' }];
  const chat = await show.rule('chat_response', {}, { conditions, ...everyMatch });
  const click = await show.rule('cta_click', {}, { conditions });
  const guest = await show.attend();
  show.start();
  await guest.say('The price?');
  await guest.say('Hello');
  await guest.click(cta);
  expect(await show.outcomes(chat)).toEqual(['matched', 'condition_not_met']);
  expect(await messagesSent(show, chat)).toEqual(['The price?']);
  const [look] = await show.executions(click);
  expect([look.outcome, look.conditions[0].actual]).toEqual(['matched', ['Hello', 'The price?']]);
});

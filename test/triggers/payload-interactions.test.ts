// What is sent of clicks, answers and messages, to the byte.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { Show } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

const offerFields = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };
const ctaFields = { type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' };

let world: TriggerWorld;
let show: Show;
beforeAll(async () => {
  world = await createTriggerWorld();
});
beforeEach(async () => {
  show = await world.show();
});
afterAll(() => world[Symbol.asyncDispose]());

const named = (id: string) => ({ id, headline: 'Now “half” price', internal_name: 'Spring offer' });

const make = (fields: object): Promise<string> =>
  show.interaction({ headline: named('').headline, internalName: named('').internal_name, ...fields });

/** Somebody in the room, once the rules are made. */
async function enter(): Promise<Guest> {
  const guest = await show.attend('Ada', { utm: { source: 'mail' } });
  show.start();
  return guest;
}

test('cta_click of an offer: its id twice and how it is called', async () => {
  const offer = await make(offerFields);
  const rule = await show.rule('cta_click', { interactionId: offer });
  const subscription = await show.subscribe(['cta_click']);
  const guest = await enter();
  expect((await guest.click(offer)).status).toBe(201);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  const told = { guest, type: 'cta_click', data, at: world.clock.now() };
  await show.expectSent(rule, told);
  await show.expectSent(subscription, told);
});

test('cta_click of a CTA: not the id of an offer', async () => {
  const [offer, cta] = [await make(offerFields), await make(ctaFields)];
  const rule = await show.rule('cta_click', { interactionId: cta });
  const guest = await enter();
  await guest.click(offer);
  await guest.click(cta);
  const data = { interactionId: cta, interaction: named(cta) };
  await show.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('cta_click by the link of the button is the same', async () => {
  const offer = await make(offerFields);
  const rule = await show.rule('cta_click');
  const guest = await enter();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  expect((await guest.follow(clickUrl)).status).toBe(302);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  await show.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('poll_response: the option, its text and the poll', async () => {
  const options = [
    { id: 'yes', label: 'Yes, “sure”' },
    { id: 'no', label: 'No' },
  ];
  const poll = await make({ type: 'poll', options, multiple: true });
  const rule = await show.rule('poll_response', { interactionId: poll, optionId: 'yes' });
  const guest = await enter();
  await guest.answer(poll, 'no');
  await guest.answer(poll, 'yes');
  const chosen = { interactionId: poll, optionId: 'yes', selectedOption: 'Yes, “sure”' };
  const data = { ...chosen, interaction: named(poll) };
  await show.expectSent(rule, { guest, type: 'poll_response', data, at: world.clock.now() });
});

test('chat_response: the message, when it was sent, and its id, which the room has answered', async () => {
  const rule = await show.rule('chat_response');
  const guest = await enter();
  const { id, sentAt } = (await guest.say('  Is it “free”?  ')).json;
  const at = world.clock.now();
  const data = { message: 'Is it “free”?', sent_at: at.toISOString(), message_event_id: id };
  expect(sentAt).toBe(data.sent_at);
  await show.expectSent(rule, { guest, type: 'chat_response', data, at });
});

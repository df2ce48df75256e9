// The exact bodies of clicks, answers and messages.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Guest } from './sent.ts';
import type { TestWebinar } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

const offerFields = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };
const ctaFields = { type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' };

let world: TriggerWorld;
let webinar: TestWebinar;
beforeAll(async () => {
  world = await createTriggerWorld();
});
beforeEach(async () => {
  webinar = await world.createWebinar();
});
afterAll(() => world[Symbol.asyncDispose]());

const named = (id: string) => ({ id, headline: 'Now “half” price', internal_name: 'Spring offer' });

const make = (fields: object): Promise<string> =>
  webinar.interaction({ headline: named('').headline, internalName: named('').internal_name, ...fields });

/** An attendee in the room. Call it after the rules are created. */
async function enter(): Promise<Guest> {
  const guest = await webinar.attend('Ada', { utm: { source: 'mail' } });
  webinar.start();
  return guest;
}

test('cta_click of an offer: interactionId, offerId and its names', async () => {
  const offer = await make(offerFields);
  const rule = await webinar.rule('cta_click', { interactionId: offer });
  const subscription = await webinar.subscribe(['cta_click']);
  const guest = await enter();
  expect((await guest.click(offer)).status).toBe(201);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  const expected = { guest, type: 'cta_click', data, at: world.clock.now() };
  await webinar.expectSent(rule, expected);
  await webinar.expectSent(subscription, expected);
});

test('cta_click of a CTA: without offerId', async () => {
  const [offer, cta] = [await make(offerFields), await make(ctaFields)];
  const rule = await webinar.rule('cta_click', { interactionId: cta });
  const guest = await enter();
  await guest.click(offer);
  await guest.click(cta);
  const data = { interactionId: cta, interaction: named(cta) };
  await webinar.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('cta_click over the link of the button has the same body', async () => {
  const offer = await make(offerFields);
  const rule = await webinar.rule('cta_click');
  const guest = await enter();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  expect((await guest.follow(clickUrl)).status).toBe(302);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  await webinar.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('poll_response: the option, its text and the poll', async () => {
  const options = [
    { id: 'yes', label: 'Yes, “sure”' },
    { id: 'no', label: 'No' },
  ];
  const poll = await make({ type: 'poll', options, multiple: true });
  const rule = await webinar.rule('poll_response', { interactionId: poll, optionId: 'yes' });
  const guest = await enter();
  await guest.answer(poll, 'no');
  await guest.answer(poll, 'yes');
  const chosen = { interactionId: poll, optionId: 'yes', selectedOption: 'Yes, “sure”' };
  const data = { ...chosen, interaction: named(poll) };
  await webinar.expectSent(rule, { guest, type: 'poll_response', data, at: world.clock.now() });
});

test('chat_response: the message, its time, and the id that the room answered', async () => {
  const rule = await webinar.rule('chat_response');
  const guest = await enter();
  const { id, sentAt } = (await guest.say('  Is it “free”?  ')).json;
  const at = world.clock.now();
  const data = { message: 'Is it “free”?', sent_at: at.toISOString(), message_event_id: id };
  expect(sentAt).toBe(data.sent_at);
  await webinar.expectSent(rule, { guest, type: 'chat_response', data, at });
});

// The exact bodies of clicks, answers and messages.
import { expect } from 'vitest';
import type { Guest } from './sent.ts';
import type { TestWebinar } from './test-webinar.ts';
import { test } from './trigger-world.ts';

const offerFields = { type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' };
const ctaFields = { type: 'cta', url: 'https://read.example/', buttonLabel: 'Read' };

const named = (id: string) => ({ id, headline: 'Now “half” price', internal_name: 'Spring offer' });

const make = (webinar: TestWebinar, fields: object): Promise<string> =>
  webinar.interaction({ headline: named('').headline, internalName: named('').internal_name, ...fields });

/** An attendee in the room. Call it after the rules are created. */
async function enter(webinar: TestWebinar): Promise<Guest> {
  const guest = await webinar.attend('Ada', { utm: { source: 'mail' } });
  webinar.start();
  return guest;
}

test('cta_click of an offer: interactionId, offerId and its names', async ({ world, webinar }) => {
  const offer = await make(webinar, offerFields);
  const rule = await webinar.rule('cta_click', { interactionId: offer });
  const subscription = await webinar.subscribe(['cta_click']);
  const guest = await enter(webinar);
  expect((await guest.click(offer)).status).toBe(201);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  const expected = { guest, type: 'cta_click', data, at: world.clock.now() };
  await webinar.expectSent(rule, expected);
  await webinar.expectSent(subscription, expected);
});

test('cta_click of a CTA: without offerId', async ({ world, webinar }) => {
  const [offer, cta] = [await make(webinar, offerFields), await make(webinar, ctaFields)];
  const rule = await webinar.rule('cta_click', { interactionId: cta });
  const guest = await enter(webinar);
  await guest.click(offer);
  await guest.click(cta);
  const data = { interactionId: cta, interaction: named(cta) };
  await webinar.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('cta_click over the link of the button has the same body', async ({ world, webinar }) => {
  const offer = await make(webinar, offerFields);
  const rule = await webinar.rule('cta_click');
  const guest = await enter(webinar);
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  expect((await guest.follow(clickUrl)).status).toBe(302);
  const data = { interactionId: offer, offerId: offer, interaction: named(offer) };
  await webinar.expectSent(rule, { guest, type: 'cta_click', data, at: world.clock.now() });
});

test('handout_download: over the link, which leads to the file and is no click on an offer or CTA', async ({
  world,
  webinar,
}) => {
  const url = 'https://files.example/slides.pdf';
  const handout = await make(webinar, { type: 'handout', url, fileName: 'slides.pdf' });
  const other = await make(webinar, { type: 'handout', url, fileName: 'book.pdf' });
  const downloads = await webinar.rule('handout_download', { interactionId: handout });
  const silent = [
    await webinar.rule('cta_click'),
    await webinar.rule('handout_download', { interactionId: other }),
    await webinar.subscribe(['cta_click']),
  ];
  const guest = await enter(webinar);
  const shown = (await guest.visit()).json.interactions;
  const { clickUrl } = shown.find(({ id }: { id: string }) => id === handout);
  const { status, headers } = await guest.follow(clickUrl);
  expect([status, headers.get('location')]).toEqual([302, expect.stringMatching(`^${url}\\?`)]);
  const data = { interactionId: handout, interaction: named(handout) };
  const expected = { guest, type: 'handout_download', data, at: world.clock.now() };
  await webinar.expectSent(downloads, expected);
  for (const hook of silent) expect(await webinar.typesSent(hook)).toEqual([]);
});

test('poll_response: the option, its text and the poll', async ({ world, webinar }) => {
  const options = [
    { id: 'yes', label: 'Yes, “sure”' },
    { id: 'no', label: 'No' },
  ];
  const poll = await make(webinar, { type: 'poll', options, multiple: true });
  const rule = await webinar.rule('poll_response', { interactionId: poll, optionId: 'yes' });
  const guest = await enter(webinar);
  await guest.answer(poll, 'no');
  await guest.answer(poll, 'yes');
  const chosen = { interactionId: poll, optionId: 'yes', selectedOption: 'Yes, “sure”' };
  const data = { ...chosen, interaction: named(poll) };
  await webinar.expectSent(rule, { guest, type: 'poll_response', data, at: world.clock.now() });
});

test('chat_response: the message, its time, and the id that the room answered', async ({
  world,
  webinar,
}) => {
  const rule = await webinar.rule('chat_response');
  const guest = await enter(webinar);
  const { id, sentAt } = (await guest.say('  Is it “free”?  ')).json;
  const at = world.clock.now();
  const data = { message: 'Is it “free”?', sent_at: at.toISOString(), message_event_id: id };
  expect(sentAt).toBe(data.sent_at);
  await webinar.expectSent(rule, { guest, type: 'chat_response', data, at });
});

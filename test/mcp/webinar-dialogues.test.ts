// Questions about webinars, people and calls that people ask an assistant, played as the calls that it makes: five at most for each.
import { expect } from 'vitest';
import { createSender } from '../revenue/sender.ts';
import { createWorld } from '../support/world.ts';
import { converse, nextTuesday, test } from './converse.ts';

const offerFields = { type: 'offer', headline: 'Buy', url: 'https://example.com/buy', buttonLabel: 'Buy' };

interface Person {
  untrusted: { email: string };
}

test('"How did last week\'s webinar do, with its revenue?"', async ({ world, ask }) => {
  const offer = await world.interaction(offerFields);
  const ada = await world.attend('ada@example.com');
  await world.register('bob@example.com');
  const gone = await world.register('gone@example.com');
  await world.call(`POST /registrations/${gone}/cancel`);
  world.startSession();
  await ada.visit();
  await ada.watch(30);
  await ada.view(offer);
  await ada.click(offer);
  const shop = await createSender(world.service, world);
  const sold = await shop.send({ email: 'ada@example.com', timestamp: new Date().toISOString() });
  expect(sold.status).toBe(202);

  const [webinar] = (await ask('list_webinars', { q: 'launch' })).data;
  // The session of the test is in ten minutes.
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const report = await ask('get_webinar_report', { webinarId: webinar.id, to });
  expect(report.data).toMatchObject({
    webinar: { title: 'Launch' },
    sessions: [{ registrations: 2, attended: 1, noShow: 0, cancelled: 1 }],
    moreSessions: false,
    totals: { registrations: 2, attended: 1, attendancePercent: 100 },
    revenue: [{ currency: 'EUR', netMinor: 4900, purchases: 1 }],
    interactions: [{ id: offer, headline: 'Buy', views: 1, clicks: 1, clickers: 1 }],
  });
});

test('"Who clicked the offer and did not buy?"', async ({ world, ask }) => {
  const offer = await world.interaction(offerFields);
  const [ada, bob] = [await world.attend('ada@example.com'), await world.attend('bob@example.com')];
  await world.attend('cleo@example.com');
  world.startSession();
  for (const attendee of [ada, bob]) {
    await attendee.visit();
    expect((await attendee.click(offer)).status).toBe(201);
  }
  const shop = await createSender(world.service, world);
  const sold = await shop.send({ email: 'ada@example.com', timestamp: new Date().toISOString() });
  expect(sold.status).toBe(202);

  const [webinar] = (await ask('list_webinars', { q: 'launch' })).data;
  const [{ id: clickedInteractionId }] = (await ask('list_interactions', { webinarId: webinar.id })).data;
  const clicked = { webinarId: webinar.id, clickedInteractionId };
  const without = await ask('list_registrations', { ...clicked, purchased: false });
  expect(without.data.map(({ untrusted }: Person) => untrusted.email)).toEqual(['bob@example.com']);
  const bought = await ask('list_registrations', { ...clicked, purchased: true });
  expect(bought.data).toMatchObject([
    { untrusted: { email: 'ada@example.com' }, revenue: [{ currency: 'EUR', netMinor: 4900 }] },
  ]);
});

test('"Register these five people for Tuesday."', async () => {
  const tuesday = nextTuesday();
  await using world = await createWorld({ sessionTime: `${tuesday}T18:00:00.000Z` });
  await using conversation = await converse(world);
  const { ask } = conversation;
  const [{ id: webinarId }] = (await ask('list_webinars', { q: 'launch' })).data;
  const slots = (await ask('list_session_slots', { webinarId })).data;
  const { startsAt: sessionTime } = slots.find((slot: { startsAt: string }) =>
    slot.startsAt.startsWith(tuesday),
  );
  const people = ['ada', 'bob', 'cleo', 'dora'].map((name) => ({
    name,
    email: `${name}@example.com`,
    sessionTime,
  }));
  const made = await ask('bulk_register', {
    webinarId,
    registrations: [...people, { name: 'Emil', email: 'emil@example', sessionTime }],
    idempotency_key: 'five',
  });
  expect(made.summary).toEqual({ created: 4, existing: 0, failed: 1 });
  expect(made.data[0]).toMatchObject({
    index: 4,
    error: { issues: [{ path: 'email', message: 'Not an e-mail address.' }] },
  });
  const emil = await ask('create_registration', {
    webinarId,
    name: 'Emil',
    email: 'emil@example.com',
    sessionTime,
  });
  expect(emil.data).toMatchObject({ sessionTime, untrusted: { email: 'emil@example.com' } });
  const { json } = await world.call('GET /registrations');
  expect(json.data).toHaveLength(5);
});

test('"Make a webinar every Tuesday at 18:00 in Berlin."', async ({ ask }) => {
  const tuesday = nextTuesday();
  const made = await ask('create_webinar', {
    title: 'Office hour',
    timezone: 'Europe/Berlin',
    schedule: {
      recurrences: [{ frequency: 'weekly', daysOfWeek: ['tuesday'], startDate: tuesday, time: '18:00' }],
    },
    idempotency_key: 'office-hour',
  });
  const { id: webinarId } = made.data;
  await ask('publish_webinar', { webinarId });
  const { data: slots } = await ask('list_session_slots', { webinarId, limit: 3 });
  const week = (weeks: number): string =>
    new Date(Date.parse(tuesday) + weeks * 7 * 86_400_000).toISOString().slice(0, 10);
  expect(slots.map(({ localTime }: { localTime: string }) => localTime.slice(0, 16))).toEqual(
    [0, 1, 2].map((weeks) => `${week(weeks)}T18:00`),
  );
});

test('"Move Ada by a week, and replace her link."', async () => {
  const recurrence = {
    frequency: 'weekly',
    daysOfWeek: ['tuesday'],
    startDate: nextTuesday(),
    time: '18:00',
  };
  await using world = await createWorld({ webinar: { schedule: { recurrences: [recurrence] } } });
  await world.register('ada@example.com', { sessionTime: world.webinar.sessionTime });
  await using conversation = await converse(world);
  const { ask } = conversation;
  const [{ id: webinarId }] = (await ask('list_webinars', { q: 'launch' })).data;
  const [ada] = (await ask('list_registrations', { webinarId, q: 'ada' })).data;
  const nextWeek = new Date(Date.parse(ada.sessionTime) + 7 * 86_400_000).toISOString();
  const { data: slots } = await ask('list_session_slots', { webinarId });
  expect(slots).toContainEqual(expect.objectContaining({ startsAt: nextWeek }));
  const place = { webinarId, registrationId: ada.id };
  const moved = await ask('move_registration', { ...place, sessionTime: nextWeek });
  expect(moved.data).toMatchObject({ sessionTime: nextWeek, untrusted: { email: 'ada@example.com' } });
  expect((await ask('rotate_registration_token', place)).data.tokenVersion).toBe(2);
});

test('"What are the results of the poll, and what was said in the chat?"', async ({ world, ask }) => {
  const poll = await world.create<Poll>('/polls', {
    internalName: 'Poll',
    showAtSeconds: 0,
    headline: 'Which day?',
    options: [{ label: 'Monday' }, { label: 'Friday' }],
  });
  const [ada, bob] = [await world.attend('ada@example.com'), await world.attend('bob@example.com')];
  world.startSession();
  for (const attendee of [ada, bob]) {
    await attendee.visit();
    await attendee.answer(poll.id, poll.options[1]!.id);
  }
  await ada.say('Is there a recording?');
  await bob.say('Fridays are best.');

  const [{ id: webinarId }] = (await ask('list_webinars', { q: 'launch' })).data;
  const [{ id: interactionId }] = (await ask('list_interactions', { webinarId, type: 'poll' })).data;
  const results = await ask('get_interaction_stats', { webinarId, interactionId });
  expect(results.data).toMatchObject({
    responses: 2,
    options: [
      { label: 'Monday', count: 0 },
      { label: 'Friday', count: 2 },
    ],
  });
  const [session] = (await ask('list_sessions', { webinarId, sort: 'startsAt', order: 'desc' })).data;
  const chat = await ask('list_chat_messages', { webinarId, sessionId: session.id });
  expect(chat.data.map(({ untrusted }: { untrusted: object }) => untrusted)).toEqual([
    { name: 'bob', text: 'Fridays are best.' },
    { name: 'ada', text: 'Is there a recording?' },
  ]);
});

interface Poll {
  id: string;
  options: { id: string }[];
}

test('"Which API calls failed today?"', async ({ world, ask }) => {
  await world.call('POST /registrations', {
    name: 'Ada',
    email: 'nonsense',
    sessionTime: world.webinar.sessionTime,
  });
  await world.register();
  await world.service.api.service.activity.flush();
  const from = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  const { data } = await ask('list_api_calls', { status: 'failure', from });
  // The client has asked for a stream, as the protocol wants it to try.
  const failed = data.filter(({ errorCode }: { errorCode: string }) => errorCode !== 'method_not_allowed');
  expect(failed).toMatchObject([
    {
      surface: 'rest',
      status: 422,
      errorCode: 'validation_failed',
      untrusted: { method: 'POST', refusedFields: ['email'] },
    },
  ]);
});

test('"What was our revenue this month by webinar, with refunds?"', async ({ world, ask }) => {
  await world.register('ada@example.com');
  const shop = await createSender(world.service, world);
  const timestamp = new Date().toISOString();
  for (const event_id of ['one', 'two']) await shop.send({ event_id, timestamp });
  await shop.send({ type: 'refund', amount_minor: -1900, original_transaction_id: 'one', timestamp });
  const month = timestamp.slice(0, 7);
  const to = new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000).toISOString();
  const { data } = await ask('get_revenue_summary', { from: `${month}-01T00:00:00Z`, to, by: 'webinar' });
  expect(data.groups).toMatchObject([
    {
      title: 'Launch',
      currency: 'EUR',
      grossMinor: 9800,
      refundsMinor: -1900,
      netMinor: 7900,
      purchases: 2,
      untrusted: { key: world.webinar.id },
    },
  ]);
});

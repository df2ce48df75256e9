import { expect, test } from 'vitest';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld } from '../support/world.ts';
import { hears, opened, textsOf } from './chat.ts';

test('messages of the host, replies and hidden messages reach those who may see them', async () => {
  await using world = await createWorld();
  const neighbour = await world.neighbour();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  const stranger = await neighbour.attend('eve@example.com');
  world.startSession();
  const host = await openDashboard(world.service, world);
  const where = { webinarId: world.webinar.id, sessionId: ada.sessionId };
  const spam = (await ada.say('Buy pills')).json;
  const reply = await bob.say('Please stop', spam.id);
  expect(reply.status).toBe(201);
  await using heard = await bob.listen();
  await opened(heard);
  const answer = await host.mutate('responses.sendMessage', {
    ...where,
    text: 'Hello all',
    replyTo: spam.id,
  });
  await hears(heard, 'Hello all');
  const quote = { id: spam.id, name: 'ada', text: 'Buy pills' };
  const itemOf = async (id: string) =>
    (await bob.poll()).json.items.find((item: { id?: string }) => item.id === id);
  expect(await itemOf(reply.json.id)).toMatchObject({ role: 'attendee', replyTo: quote, own: true });
  expect(await itemOf(answer.id)).toMatchObject({ role: 'presenter', replyTo: quote, own: false });
  const { cursor } = (await bob.poll()).json;

  const message = { ...where, messageId: spam.id, hidden: true };
  await host.mutate('responses.hideMessage', message);
  await host.mutate('responses.hideMessage', message);
  await eventually('the message is removed', () =>
    heard.items.some(({ type, id }) => type === 'hidden' && id === spam.id),
  );
  for (const page of [await ada.poll(), await bob.poll(), await bob.poll(cursor)]) {
    expect(textsOf(page.json.items)).toEqual(['Please stop', 'Hello all']);
    expect(page.text).not.toContain('Buy pills');
  }
  expect((await bob.poll(cursor)).json.items).toContainEqual({ type: 'hidden', id: spam.id });
  expect((await bob.say('Me too', spam.id)).json.code).toBe('message_not_found');
  const listed = (await world.get(`/sessions/${ada.sessionId}/messages`)) as {
    text: string;
    hidden: boolean;
    role: string;
  }[];
  expect(listed.map(({ text, hidden, role }) => [text, hidden, role])).toEqual([
    ['Hello all', false, 'presenter'],
    ['Please stop', false, 'attendee'],
    ['Buy pills', true, 'attendee'],
  ]);

  const outsider = await openDashboard(world.service, neighbour);
  const foreign = { webinarId: neighbour.webinar.id, sessionId: stranger.sessionId };
  expect(await refusalOf(outsider.mutate('responses.hideMessage', message))).toBe('webinar_not_found');
  for (const messageId of [spam.id, reply.json.id])
    expect(
      await refusalOf(outsider.mutate('responses.hideMessage', { ...foreign, messageId, hidden: true })),
    ).toBe('message_not_found');
  expect((await stranger.say('Hi', reply.json.id)).json.code).toBe('message_not_found');

  await host.mutate('responses.hideMessage', { ...message, hidden: false });
  await eventually('the message is back', async () =>
    textsOf((await ada.poll()).json.items).includes('Buy pills'),
  );
});

test('in a private chat attendees see and answer only their own messages and those of the host, without quotes of others', async () => {
  await using world = await createWorld({ webinar: { room: { chatMode: 'private' } } });
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  const host = await openDashboard(world.service, world);
  const where = { webinarId: world.webinar.id, sessionId: ada.sessionId };
  const { id } = await host.mutate('responses.sendMessage', { ...where, text: 'Welcome' });
  const said = (await ada.say('Mine', id)).json;
  expect((await ada.say('More', said.id)).status).toBe(201);
  expect((await bob.say('Others', said.id)).json.code).toBe('message_not_found');
  await host.mutate('responses.sendMessage', { ...where, text: 'Answer', replyTo: said.id });
  await eventually('all is read', async () => textsOf((await ada.poll()).json.items).length === 4);
  const [hers, his] = [await ada.poll(), await bob.poll()];
  expect(textsOf(hers.json.items)).toEqual(['Welcome', 'Mine', 'More', 'Answer']);
  expect(hers.json.items.at(-1)).toMatchObject({ text: 'Answer', replyTo: { text: 'Mine' } });
  expect(textsOf(his.json.items)).toEqual(['Welcome', 'Answer']);
  expect(his.text).not.toContain('Mine');
});

test('a waiting page hears the start and the end of its session', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  world.clock.setTo(new Date(Date.parse(world.webinar.sessionTime) - 500));
  await using heard = await ada.listen();
  await opened(heard);
  const statuses = () => heard.items.flatMap(({ type, status }) => (type === 'session' ? [status] : []));
  expect(statuses()).toEqual(['scheduled']);
  world.clock.advance(0.5);
  await eventually('the start is heard', () => statuses().includes('live'));
  world.clock.advance(600);
  await eventually('the end is heard', () => statuses().includes('ended'));
});

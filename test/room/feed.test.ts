import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createWorld } from '../support/world.ts';
import { besideSession, hears, opened, secondsAgo, textsOf, writeMessage } from './chat.ts';

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

test('a message reaches listeners at every process once, and is own for its author', async () => {
  await using world = await createWorld();
  await using other = await world.another();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  const stranger = await world.attend('eve@example.com', { sessionTime: world.webinar.sessionTime });
  world.startSession();
  await using heardByAda = await ada.listen();
  await using heardByBob = await bob.at(other).listen();
  await using heardByBobHere = await bob.listen();
  for (const listener of [heardByAda, heardByBob, heardByBobHere]) await opened(listener);
  await ada.say('One');
  await bob.at(other).say('Two');
  await stranger.say('Three');
  for (const listener of [heardByAda, heardByBob, heardByBobHere])
    expect((await hears(listener, 'Three')).toSorted()).toEqual(['One', 'Three', 'Two']);
  const own = (items: readonly Record<string, unknown>[]) => items.filter((item) => item['own'] === true);
  expect(textsOf(own(heardByAda.items))).toEqual(['One']);
  expect(textsOf(own(heardByBob.items))).toEqual(['Two']);
  expect(besideSession(heardByBob.items)[0]).toEqual({
    type: 'message',
    id: expect.any(String),
    name: expect.any(String),
    text: expect.any(String),
    sentAt: world.clock.now().toISOString(),
    own: expect.any(Boolean),
    role: 'attendee',
    replyTo: null,
  });
});

test('messages do not reach another session of the webinar', async () => {
  await using world = await createWorld();
  const startsAt = new Date(Date.parse(world.webinar.sessionTime) + 3_600_000).toISOString();
  await world.create('/sessions', { startsAt, control: 'api' });
  const [here, there] = [
    await world.attend(),
    await world.attend('bob@example.com', { sessionTime: startsAt }),
  ];
  await world.create(`/sessions/${there.sessionId}/progress`, { action: 'start' });
  world.startSession();
  await using heardHere = await here.listen();
  await using heardThere = await there.listen();
  await opened(heardHere);
  await there.say('There');
  await hears(heardThere, 'There');
  await here.say('Here');
  expect(await hears(heardHere, 'Here')).toEqual(['Here']);
  expect(textsOf(heardThere.items)).toEqual(['There']);
});

test('live poll results are sent at first and after each change', async () => {
  await using world = await createWorld();
  const live = await world.interaction({ type: 'poll', results: 'live', options });
  const silent = await world.interaction({ type: 'poll', results: 'live', options });
  const hidden = await world.interaction({ type: 'poll', results: 'after_vote', options });
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  const standing = (interactionId: string, yes: number, no: number) => ({
    type: 'poll',
    interactionId,
    results: [
      { optionId: 'yes', label: 'Yes', count: yes },
      { optionId: 'no', label: 'No', count: no },
    ],
  });
  await ada.answer(live, 'yes');
  await ada.answer(hidden, 'yes');
  await using heard = await bob.listen();
  const polls = () => besideSession(heard.items);
  await eventually('the poll is shown', () => polls().length > 0);
  expect(polls()).toEqual([standing(live, 1, 0)]);
  await bob.answer(live, 'no');
  await bob.answer(live, 'no');
  await eventually('the poll is shown again', () => polls().length > 1);
  await bob.answer(silent, 'no');
  await eventually('the other poll is shown', () => polls().length > 2);
  await bob.say('Done');
  await hears(heard, 'Done');
  expect(polls().slice(0, -1)).toEqual([standing(live, 1, 0), standing(live, 1, 1), standing(silent, 0, 1)]);
});

test('the feed has the progress of an API-controlled session', async () => {
  await using world = await createWorld();
  const startsAt = new Date(Date.parse(world.webinar.sessionTime) + 3_600_000).toISOString();
  const session = await world.create('/sessions', { startsAt, control: 'api' });
  const ada = await world.attend('ada@example.com', { sessionTime: startsAt });
  await using heard = await ada.listen();
  const move = async (action: object) => {
    const before = heard.items.length;
    await world.create(`/sessions/${session['id']}/progress`, action);
    await eventually('the move is heard', () => heard.items.length > before);
  };
  await opened(heard);
  await move({ action: 'start' });
  await move({ action: 'seek', positionSeconds: 120 });
  await move({ action: 'end' });
  const at = (status: string, positionSeconds: number) => ({
    type: 'progress',
    status,
    positionSeconds,
    segmentId: null,
  });
  const heardProgress = besideSession(heard.items);
  expect(heardProgress).toEqual([at('scheduled', 0), at('live', 0), at('live', 120), at('ended', 120)]);
  const sessions = heard.items.filter(({ type }) => type === 'session');
  expect(sessions.map(({ status }) => status)).toEqual(['scheduled', 'live', 'ended']);
});

test('in a private chat attendees get only their own messages, also old ones', async () => {
  await using world = await createWorld({ webinar: { room: { chatMode: 'private' } } });
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  await writeMessage(world, ada, { text: 'Before', at: secondsAgo(50) });
  // More than a process keeps per session.
  for (let number = 0; number < 210; number += 1)
    await writeMessage(world, bob, { text: `b${number}`, at: secondsAgo(40) });
  await using heardByAda = await ada.listen();
  await using heardByBob = await bob.listen();
  await opened(heardByAda);
  await opened(heardByBob);
  await ada.say('After');
  await bob.say('Mine');
  expect(await hears(heardByAda, 'After')).toEqual(['Before', 'After']);
  expect(await hears(heardByBob, 'Mine')).toHaveLength(51);
  expect(textsOf((await ada.poll()).json.items)).toEqual(['Before', 'After']);
  expect(heardByBob.text()).not.toMatch(/Before|After/);
});

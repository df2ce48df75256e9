import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createWorld } from '../support/world.ts';
import { hears, secondsAgo, textsOf, writeMessage } from './chat.ts';

test('a reader who reconnects to any process gets the missed content, and only the last two seconds again', async () => {
  await using world = await createWorld();
  await using other = await world.another();
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  for (const [text, seconds] of Object.entries({ long: 60, lately: 31, last: 30 }))
    await writeMessage(world, ada, { text, at: secondsAgo(seconds) });
  await using first = await bob.listen();
  expect(await hears(first, 'last')).toEqual(['long', 'lately', 'last']);
  const cursor = first.lastEventId();
  await first[Symbol.asyncDispose]();
  await writeMessage(world, ada, { text: 'missed', at: secondsAgo(10) });
  world.service.api.service.feed.announce(world.accountId, ada.sessionId);
  await using again = await bob.at(other).listen(cursor);
  expect(await hears(again, 'missed')).toEqual(['lately', 'last', 'missed']);
  await using unknown = await bob.listen('not-a-cursor');
  expect(await hears(unknown, 'missed')).toEqual(['long', 'lately', 'last', 'missed']);
});

test('a client that polls gets the current content first, then new content', async () => {
  await using world = await createWorld();
  await using other = await world.another();
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const poll = await world.interaction({ type: 'poll', results: 'live', options });
  const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
  world.startSession();
  for (let number = 0; number < 60; number += 1)
    await writeMessage(world, ada, { text: `m${number}`, at: secondsAgo(55 - number * 0.8) });
  await ada.answer(poll, 'yes');
  const first = await bob.poll();
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(textsOf(first.json.items)).toEqual(Array.from({ length: 50 }, (_, index) => `m${index + 10}`));
  expect(first.json.items.at(-1)).toMatchObject({ type: 'poll', interactionId: poll });

  const nothing = await bob.at(other).poll(first.json.cursor);
  expect(textsOf(nothing.json.items)).toEqual(['m57', 'm58', 'm59']);
  expect(nothing.json.items).toHaveLength(3);
  expect(nothing.json.cursor).toBe(first.json.cursor);

  await ada.say('New');
  const next = await eventually('the message is there', async () => {
    const { json } = await bob.at(other).poll(first.json.cursor);
    return textsOf(json.items).includes('New') && json;
  });
  expect(textsOf(next.items)).toEqual(['m57', 'm58', 'm59', 'New']);
  expect(next.items.every(({ type }: { type: string }) => type === 'message')).toBe(true);
  expect(textsOf((await bob.poll('x')).json.items)).toHaveLength(50);
});

import { expect, test } from 'vitest';
import type { Refused } from '../support/event-source.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld } from '../support/world.ts';
import { hears, opened } from './chat.ts';

test('a stream forbids caching and buffering, and stays open without events', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  await using heard = await ada.listen();
  await opened(heard);
  expect(heard.headers.get('content-type')).toBe('text/event-stream');
  expect(heard.headers.get('cache-control')).toBe('no-store');
  expect(heard.headers.get('x-accel-buffering')).toBe('no');
  expect(heard.headers.get('content-encoding')).toBeNull();
  expect(heard.headers.get('connection')).toBe('close');
  expect(heard.text()).toMatch(/^retry: \d{4}\n\nid: /);
  expect(heard.text()).not.toContain('\n:\n');
  world.clock.advance(15);
  await eventually('a comment comes', () => heard.text().endsWith('\n:\n\n'));
});

test.each(['rotate-token', 'cancel'])(
  'after %s a stream ends within a minute, and others go on',
  async (verb) => {
    await using world = await createWorld();
    const [ada, bob] = [await world.attend(), await world.attend('bob@example.com')];
    world.startSession();
    await using ending = await ada.listen();
    await using staying = await bob.listen();
    await opened(ending);
    await opened(staying);
    await world.create(`/registrations/${ada.registrationId}/${verb}`);
    world.clock.advance(60);
    await eventually('the stream ends', () => ending.state() !== 'open');
    expect(ending.state()).toBe('ended');
    const refused: Refused = await ada.listen().then(
      () => expect.unreachable(),
      (error: Refused) => error,
    );
    expect([refused.status, refused.json.code]).toEqual([410, 'join_link_expired']);
    await bob.say('Still here');
    await hears(staying, 'Still here');
    expect(staying.state()).toBe('open');
  },
);

test('a stream ends when the chat mode changes', async () => {
  await using world = await createWorld();
  const ada = await world.attend();
  await using heard = await ada.listen();
  await opened(heard);
  const changed = await world.rest(`PATCH /webinars/${world.webinar.id}`, { room: { chatMode: 'private' } });
  expect(changed.status).toBe(200);
  world.clock.advance(60);
  await eventually('the stream ends', () => heard.state() === 'ended');
});

test('a process that stops ends its streams and does not wait for them', async () => {
  await using world = await createWorld();
  const other = await world.another();
  const ada = await world.attend();
  const heard = await ada.at(other).listen();
  await opened(heard);
  const stopped = other[Symbol.asyncDispose]();
  await eventually('the stream ends', () => heard.state() !== 'open');
  expect(heard.state()).toBe('ended');
  await stopped;
});

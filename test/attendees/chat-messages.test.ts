import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';

test('the chat of a session is listed page by page, newest first, and no other session has its messages', async () => {
  await using world = await createWorld();
  const ada = await world.attend('ada@example.com');
  world.startSession();
  await ada.visit();
  for (const text of ['One', 'Two', 'Three']) await ada.say(text);
  const [session] = await world.get('/sessions?sort=startsAt');
  const at = `/sessions/${session.id}/messages`;
  const first = await world.call(`GET ${at}?limit=2`);
  expect(first.json.data).toMatchObject([
    { name: 'ada', text: 'Three' },
    { name: 'ada', text: 'Two' },
  ]);
  const cursor = encodeURIComponent(first.json.pagination.nextCursor);
  const second = await world.call(`GET ${at}?limit=2&cursor=${cursor}`);
  expect(second.json).toMatchObject({ data: [{ text: 'One' }], pagination: { hasMore: false } });
  const other = await createWorld({ beside: world, workspace: world });
  const { status, json } = await other.call(`GET ${at}`);
  expect([status, json.code]).toEqual([404, 'session_not_found']);
});

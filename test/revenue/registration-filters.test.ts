import { setPurchased } from '@service/attendees';
import { expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { writeAs } from '../support/factories.ts';
import { createWorld, type World } from '../support/world.ts';

const offer = {
  type: 'offer',
  url: 'https://example.com/buy',
  buttonLabel: 'Buy',
};
const handout = { type: 'handout', url: 'https://example.com/a.pdf', fileName: 'a.pdf' };

async function list(world: World, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const { json, status, text } = await world.call(`GET /registrations?limit=2&${query}${cursor}`);
    expect(status, text).toBe(200);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    if (!json.pagination.hasMore) return ids;
    cursor = `&cursor=${json.pagination.nextCursor}`;
  }
}

const mark = (world: World, ids: readonly string[], purchased = true): Promise<void> =>
  writeAs(world.service.db.database, world.accountId, (tx) =>
    setPurchased(tx, new Map(ids.map((id) => [id, purchased]))),
  );

test('registrations are filtered by the interaction that they clicked, also with other filters and page by page', async () => {
  await using world = await createWorld();
  const [offerId, otherId, handoutId] = [
    await world.interaction(offer),
    await world.interaction(offer),
    await world.interaction(handout),
  ];
  const people: Attendee[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) people.push(await world.attend(`${name}@example.com`));
  world.startSession();
  const [a, b, c, d, e] = people as [Attendee, ...Attendee[]];
  for (const person of people) await person.visit();
  // Not in the order of the registrations, and one clicks twice.
  for (const person of [c!, a, e!, a]) expect((await person.click(offerId)).status).toBe(201);
  await b!.click(otherId);
  await d!.click(handoutId);

  const idsOf = (...attendees: typeof people) => attendees.map(({ registrationId }) => registrationId);
  expect(await list(world, `clickedInteractionId=${offerId}`)).toEqual(idsOf(e!, c!, a));
  expect(await list(world, `clickedInteractionId=${otherId}`)).toEqual(idsOf(b!));
  expect(await list(world, `clickedInteractionId=${handoutId}`)).toEqual(idsOf(d!));
  expect(await list(world, `clickedInteractionId=${offerId}&email=c@example.com`)).toEqual(idsOf(c!));
  expect(await list(world, `clickedInteractionId=${offerId}&email=b@example.com`)).toEqual([]);
  expect(await list(world, `clickedInteractionId=${world.webinar.id}`)).toEqual([]);

  const neighbour = await world.neighbour();
  expect(await list(neighbour, `clickedInteractionId=${offerId}`)).toEqual([]);
});

test('registrations are filtered by whether they bought, and the condition of rules has the same answer', async () => {
  await using world = await createWorld();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push(await world.register(`${name}@example.com`));
  const [a, b, c, d] = ids as [string, ...string[]];
  await mark(world, [a, c!]);
  expect(await list(world, 'purchased=true')).toEqual([c, a]);
  expect(await list(world, 'purchased=false')).toEqual([d, b]);
  expect(await list(world, 'purchased=true&email=a@example.com')).toEqual([a]);
  await mark(world, [c!], false);
  expect(await list(world, 'purchased=true')).toEqual([a]);

  // Another account cannot change it.
  const neighbour = await world.neighbour();
  await mark(neighbour, [a, b!]);
  expect(await list(world, 'purchased=true')).toEqual([a]);
});

test('an invalid filter is refused by name', async () => {
  await using world = await createWorld();
  for (const query of ['purchased=maybe', 'clickedInteractionId=x']) {
    const answer = await world.call(`GET /registrations?${query}`);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.json.issues)).toContain(query.split('=')[0]);
  }
});

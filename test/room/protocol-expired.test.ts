import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { createWorld, type World } from '../support/world.ts';
import { askEverything } from './ask-everything.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  world.startSession();
});
afterAll(() => world[Symbol.asyncDispose]());

async function expectAllGone(attendee: Attendee): Promise<void> {
  for (const [route, answer] of await askEverything(attendee))
    expect(answer, route).toEqual([410, 'join_link_expired']);
}

/** An attendee with a visit makes every call again after `end`. */
async function afterwards(email: string, end: (attendee: Attendee) => Promise<unknown>): Promise<void> {
  const attendee = await world.attend(email);
  const { clickUrl } = (await attendee.visit()).json.interactions[0];
  expect((await attendee.beat()).status).toBe(200);
  expect((await attendee.follow(clickUrl)).status).toBe(302);
  await end(attendee);
  await expectAllGone(attendee);
  expect((await attendee.follow(clickUrl)).status).toBe(410);
}

test('a rotated link is refused in every call, and the new link is of the same attendee', async () => {
  let joinUrl = '';
  await afterwards('rotated@example.com', async ({ registrationId }) => {
    const rotated = await world.create(`/registrations/${registrationId}/rotate-token`);
    joinUrl = rotated['joinUrl']!;
  });
  const token = joinUrl.split('/').at(-1);
  const again = await fetch(`${world.service.baseUrl}/room/${token}/visits`, { method: 'POST' });
  expect(await again.json()).toMatchObject({ attendee: { name: 'rotated' } });
});

test('the link of a cancelled registration is refused', () =>
  afterwards('cancelled@example.com', ({ registrationId }) =>
    world.create(`/registrations/${registrationId}/cancel`),
  ));

test('links of an archived webinar are refused', async () => {
  await afterwards('archived@example.com', () => world.create('/archive'));
});

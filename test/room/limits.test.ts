import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import type { EventListener, Refused } from '../support/event-source.ts';
import { eventually } from '../support/eventually.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.interaction({ type: 'cta', url: 'https://shop.example/', buttonLabel: 'Go' });
  world.startSession();
});
afterAll(() => world[Symbol.asyncDispose]());

const times = <Result>(count: number, ask: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, ask));

/** Counts calls that the limit accepts. The limit is checked first, so invalid calls are enough. */
const admitted = async (attendee: Attendee, count: number): Promise<number> =>
  (await times(count, () => attendee.call('POST /messages'))).filter(({ status }) => status !== 429).length;

test('a registration has 300 calls at once and ten more each second, over all its links', async () => {
  const [ada, bob] = [await world.attend('ada@example.com'), await world.attend('bob@example.com')];
  const { clickUrl } = (await ada.visit()).json.interactions[0];
  expect(await admitted(ada, 320)).toBe(299);
  for (const answer of [
    await ada.visit(),
    await ada.poll(),
    await ada.view(world.webinar.id),
    await ada.click(world.webinar.id),
  ])
    expect([answer.status, answer.json.code, answer.headers.get('retry-after')]).toEqual([
      429,
      'room_busy',
      '1',
    ]);
  expect((await ada.follow(clickUrl)).status).toBe(429);
  expect((await bob.visit()).status).toBe(201);
  world.clock.advance(2);
  expect(await admitted(ada, 25)).toBe(20);
});

test('a registration has ten chat messages at once and one more every two seconds, apart from other calls', async () => {
  const eve = await world.attend('eve@example.com');
  const answers = [...(await times(6, () => eve.say('Hello'))), ...(await times(6, () => eve.say('Hello')))];
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['2', '2']);
  expect((await eve.visit()).status).toBe(201);
  world.clock.advance(2);
  expect([(await eve.say('Again')).status, (await eve.say('And again')).status]).toEqual([201, 429]);
});

test('a registration has five streams at once, and a closed one frees its place', async () => {
  const zoe = await world.attend('zoe@example.com');
  const places: EventListener[] = [];
  const listen = async (): Promise<Refused | undefined> => {
    try {
      places.push(await zoe.listen());
      return undefined;
    } catch (error) {
      return error as Refused;
    }
  };
  const refused = (await times(6, listen)).filter((one) => one !== undefined);
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual([[429, 'room_busy']]);
  expect(refused[0]!.headers.get('retry-after')).toBe('5');
  await places[0]![Symbol.asyncDispose]();
  await eventually('a place is free again', async () => (await listen()) === undefined);
  for (const place of places) await place[Symbol.asyncDispose]();
});

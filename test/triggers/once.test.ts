// Exactly once, however often, from wherever and how much of it at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttendee, type RoomAnswer } from '../support/attendee.ts';
import type { Guest } from './sent.ts';
import type { Hook } from './show.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The same person in another tab. */
const anotherTab = ({ registrationId: id, sessionId, token }: Guest) =>
  createAttendee(world.service, { id, sessionId, joinUrl: `/room/${token}` }, world.clock);

test('two hundred clicks at once, at two processes and by the link, fire once for a rule and once for a subscription', async () => {
  await using other = await world.another();
  const show = await world.show();
  const offer = await show.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const hooks = [await show.rule('cta_click'), await show.subscribe(['cta_click', 'left'])];
  const guest = await show.attend();
  show.start();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  const elsewhere = guest.at(other);
  // A process takes eight calls of an attendee at a time.
  const eightAtATime = async (click: (index: number) => Promise<RoomAnswer>): Promise<number[]> => {
    const statuses: number[] = [];
    let begun = 0;
    const lane = async (): Promise<void> => {
      while (begun < 100) statuses.push((await click(begun++)).status);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    return statuses;
  };
  const statuses = new Set(
    (
      await Promise.all([
        eightAtATime((index) => (index % 2 === 0 ? guest.follow(clickUrl) : guest.click(offer))),
        eightAtATime(() => elsewhere.click(offer)),
      ])
    ).flat(),
  );
  expect(statuses).toEqual(new Set([302, 201]));

  const executions = Map.groupBy(await show.executions(), ({ ruleId }) => ruleId);
  expect(executions.size).toBe(2);
  for (const looks of executions.values()) {
    const fired = looks.filter(({ outcome }) => outcome === 'matched');
    const reasons = looks.filter(({ outcome }) => outcome === 'skipped').map(({ skipReason }) => skipReason);
    expect([fired.length, reasons]).toEqual([1, Array.from({ length: 199 }, () => 'already_fired')]);
  }
  for (const hook of hooks) expect(await show.typesSent(hook)).toEqual(['cta_click']);
});

test('a heartbeat that passes several marks fires each of their rules once, the lowest first', async () => {
  const show = await world.show();
  const marks: [string, object][] = [
    ['watched_percent', { percent: 14 }],
    ['watched_minutes', { minutes: 1 }],
    ['watched_percent', { percent: 5 }],
    ['watched_percent', { percent: 12 }],
    ['watched_percent', { percent: 8 }],
    ['watched_percent', { percent: 20 }],
  ];
  const rules: Hook[] = [];
  for (const [type, params] of marks)
    rules.push(await show.rule(type, params, { name: Object.values(params)[0].toString() }));
  const guest = await show.attend();
  show.start();
  await guest.beat();
  world.clock.advance(85);
  for (const intervals of [[[0, 85]], [[0, 85]], [[10, 60]]] as [number, number][][])
    await guest.beat({ intervals });

  const fired = (await show.executions()).toSorted((one, other) =>
    one.deliveryId < other.deliveryId ? -1 : 1,
  );
  // Of 600 seconds: 30, 48, 60, 72 and 84.
  expect(fired.map(({ ruleName }) => ruleName)).toEqual(['5', '8', '1', '12', '14']);
  const sent = await Promise.all(rules.map((rule) => show.typesSent(rule)));
  expect(sent).toEqual([...marks.slice(0, 5).map(([type]) => [type]), []]);
  const { data } = (await show.rest(`GET ./registrations/${guest.registrationId}/events`)).json;
  expect(data.map(({ type }: { type: string }) => type).toReversed()).toEqual([
    'registered',
    'joined',
    'watched_percent',
    'watched_percent',
    'watched_minutes',
    'watched_percent',
    'watched_percent',
  ]);
});

test('another offer, another option and another person are another time', async () => {
  const show = await world.show();
  const button = { url: 'https://shop.example/', buttonLabel: 'Buy' };
  const offers = [
    await show.interaction({ type: 'offer', ...button }),
    await show.interaction({ type: 'cta', ...button }),
  ];
  const options = ['a', 'b'].map((id) => ({ id, label: id }));
  const poll = await show.interaction({ type: 'poll', options, multiple: true });
  const [clicks, answers] = [await show.rule('cta_click'), await show.rule('poll_response')];
  const people = [await show.attend('Ada'), await show.attend('Bob')];
  show.start();
  for (const person of [...people, ...people]) {
    for (const offer of offers) await person.click(offer);
    for (const { id } of options) await person.answer(poll, id);
  }
  const told = async (hook: Hook, key: string) =>
    (await show.sent(hook)).map(({ body }) => [body.attendee.name, body.event_data[key]]);
  const pairs = (values: string[]) => ['Ada', 'Bob'].flatMap((name) => values.map((value) => [name, value]));
  expect(await told(clicks, 'interactionId')).toEqual(pairs(offers));
  expect(await told(answers, 'optionId')).toEqual(pairs(['a', 'b']));
});

test('two tabs are one who joins, and who comes back after having left joins again but fires no rule again', async () => {
  const show = await world.show();
  const [joined, left] = [await show.rule('joined'), await show.rule('left')];
  const guest = await show.attend();
  show.start();
  const tabs = [guest, anotherTab(guest)];
  await Promise.all(tabs.map((tab) => tab.beat()));
  for (const tab of tabs) await tab.beat();
  expect(await show.outcomes(joined)).toEqual(['matched']);

  // Who closes one tab is still there with the other.
  await guest.leave();
  world.clock.advance(50);
  await tabs[1]!.beat();
  world.clock.advance(30);
  await world.tick();
  expect(await show.outcomes(left)).toEqual([]);
  // A connection that was lost for a minute has not left.
  world.clock.advance(55);
  await world.tick();
  await guest.beat();
  expect([await show.outcomes(joined), await show.outcomes(left)]).toEqual([['matched'], []]);

  for (let times = 0; times < 2; times += 1) {
    world.clock.advance(90);
    await world.tick();
    await guest.visit();
    await guest.beat();
  }
  const again = ['matched', 'already_fired'];
  expect(await show.outcomes(joined)).toEqual([...again, 'already_fired']);
  expect(await show.outcomes(left)).toEqual(again);
  expect(await show.typesSent(joined)).toEqual(['joined']);
  expect(await show.typesSent(left)).toEqual(['left']);
});

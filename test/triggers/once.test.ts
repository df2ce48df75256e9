// Rules fire once, although events are repeated, parallel and come from several processes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAttendee, type RoomAnswer } from '../support/attendee.ts';
import type { Guest } from './sent.ts';
import type { Hook } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The same attendee in another tab. */
const anotherTab = ({ registrationId: id, sessionId, token }: Guest) =>
  createAttendee(world.service, { id, sessionId, joinUrl: `/room/${token}` }, world.clock);

test('two hundred parallel clicks, in two processes and over the link, fire a rule once and a subscription once', async () => {
  await using other = await world.another();
  const webinar = await world.createWebinar();
  const offer = await webinar.interaction({
    type: 'offer',
    url: 'https://shop.example/',
    buttonLabel: 'Buy',
  });
  const hooks = [await webinar.rule('cta_click'), await webinar.subscribe(['cta_click', 'left'])];
  const guest = await webinar.attend();
  webinar.start();
  const [{ clickUrl }] = (await guest.visit()).json.interactions;
  const elsewhere = guest.at(other);
  // A process accepts eight parallel calls of one attendee.
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

  const executions = Map.groupBy(await webinar.executions(), ({ ruleId }) => ruleId);
  expect(executions.size).toBe(2);
  for (const ofHook of executions.values()) {
    const fired = ofHook.filter(({ outcome }) => outcome === 'matched');
    const reasons = ofHook.filter(({ outcome }) => outcome === 'skipped').map(({ skipReason }) => skipReason);
    expect([fired.length, reasons]).toEqual([1, Array.from({ length: 199 }, () => 'already_fired')]);
  }
  for (const hook of hooks) expect(await webinar.typesSent(hook)).toEqual(['cta_click']);
});

test('a heartbeat that reaches several marks fires each of their rules once, the lowest mark first', async () => {
  const webinar = await world.createWebinar();
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
    rules.push(await webinar.rule(type, params, { name: Object.values(params)[0].toString() }));
  const guest = await webinar.attend();
  webinar.start();
  await guest.beat();
  world.clock.advance(85);
  for (const intervals of [[[0, 85]], [[0, 85]], [[10, 60]]] as [number, number][][])
    await guest.beat({ intervals });

  const fired = (await webinar.executions()).toSorted((one, other) =>
    one.deliveryId < other.deliveryId ? -1 : 1,
  );
  // The seconds of these percents of 600: 30, 48, 60, 72 and 84.
  expect(fired.map(({ ruleName }) => ruleName)).toEqual(['5', '8', '1', '12', '14']);
  const sent = await Promise.all(rules.map((rule) => webinar.typesSent(rule)));
  expect(sent).toEqual([...marks.slice(0, 5).map(([type]) => [type]), []]);
  const { data } = (await webinar.rest(`GET ./registrations/${guest.registrationId}/events`)).json;
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

test('another offer, another option and another attendee fire the rule again', async () => {
  const webinar = await world.createWebinar();
  const button = { url: 'https://shop.example/', buttonLabel: 'Buy' };
  const offers = [
    await webinar.interaction({ type: 'offer', ...button }),
    await webinar.interaction({ type: 'cta', ...button }),
  ];
  const options = ['a', 'b'].map((id) => ({ id, label: id }));
  const poll = await webinar.interaction({ type: 'poll', options, multiple: true });
  const [clicks, answers] = [await webinar.rule('cta_click'), await webinar.rule('poll_response')];
  const people = [await webinar.attend('Ada'), await webinar.attend('Bob')];
  webinar.start();
  for (const person of [...people, ...people]) {
    for (const offer of offers) await person.click(offer);
    for (const { id } of options) await person.answer(poll, id);
  }
  const idsOf = async (hook: Hook, key: string) =>
    (await webinar.sent(hook)).map(({ body }) => [body.attendee.name, body.event_data[key]]);
  const pairs = (values: string[]) => ['Ada', 'Bob'].flatMap((name) => values.map((value) => [name, value]));
  expect(await idsOf(clicks, 'interactionId')).toEqual(pairs(offers));
  expect(await idsOf(answers, 'optionId')).toEqual(pairs(['a', 'b']));
});

test('two tabs join once, and an attendee who comes back after leaving joins again without firing a rule again', async () => {
  const webinar = await world.createWebinar();
  const [joined, left] = [await webinar.rule('joined'), await webinar.rule('left')];
  const guest = await webinar.attend();
  webinar.start();
  const tabs = [guest, anotherTab(guest)];
  await Promise.all(tabs.map((tab) => tab.beat()));
  for (const tab of tabs) await tab.beat();
  expect(await webinar.outcomes(joined)).toEqual(['matched']);

  // The attendee is still there with the second tab.
  await guest.leave();
  world.clock.advance(50);
  await tabs[1]!.beat();
  world.clock.advance(30);
  await world.tick();
  expect(await webinar.outcomes(left)).toEqual([]);
  // A minute without a connection does not count as leaving.
  world.clock.advance(55);
  await world.tick();
  await guest.beat();
  expect([await webinar.outcomes(joined), await webinar.outcomes(left)]).toEqual([['matched'], []]);

  for (let times = 0; times < 2; times += 1) {
    world.clock.advance(90);
    await world.tick();
    await guest.visit();
    await guest.beat();
  }
  const again = ['matched', 'already_fired'];
  expect(await webinar.outcomes(joined)).toEqual([...again, 'already_fired']);
  expect(await webinar.outcomes(left)).toEqual(again);
  expect(await webinar.typesSent(joined)).toEqual(['joined']);
  expect(await webinar.typesSent(left)).toEqual(['left']);
});

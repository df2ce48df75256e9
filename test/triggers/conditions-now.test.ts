// Conditions use the facts at the time of the event, and all of them must be met.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const link = { url: 'https://shop.example/', buttonLabel: 'Go' };
const watchedHalf = { field: 'watchedPercent', operator: 'gte', value: 50 };

test('a click before the condition is met fires nothing, a click afterwards fires once', async () => {
  const webinar = await world.createWebinar();
  const cta = await webinar.interaction({ type: 'cta', ...link });
  const rule = await webinar.rule('cta_click', {}, { conditions: [watchedHalf] });
  const guest = await webinar.attend();
  webinar.start();
  for (const seconds of [240, 59, 1, 100]) {
    await guest.watch(seconds);
    await guest.click(cta);
  }
  const early = 'condition_not_met';
  expect(await webinar.outcomes(rule)).toEqual([early, early, 'matched', 'already_fired']);
  const executions = await webinar.executions(rule);
  expect(executions.map(({ conditions }) => conditions[0].actual)).toEqual([40, 49, 50, 66]);
  expect(await webinar.typesSent(rule)).toEqual(['cta_click']);
});

test('one of three conditions that is not met is enough to stop the rule', async () => {
  const webinar = await world.createWebinar();
  const [offer, cta] = [
    await webinar.interaction({ type: 'offer', ...link }),
    await webinar.interaction({ type: 'cta', ...link }),
  ];
  const conditions = [
    watchedHalf,
    { field: 'clickedOffer', operator: 'eq', value: offer },
    { field: 'utm.source', operator: 'in', value: ['mail', 'ads'] },
  ];
  const rule = await webinar.rule('cta_click', { interactionId: cta }, { conditions });
  const utm = { source: 'Mail' };
  // The conditions that each attendee meets: watch half of it, click the offer, come from a campaign.
  const people = [
    { met: [false, true, true], guest: await webinar.attend('Hurried', { utm }) },
    { met: [true, false, true], guest: await webinar.attend('Careful', { utm }) },
    { met: [true, true, false], guest: await webinar.attend('Unknown') },
    { met: [true, true, true], guest: await webinar.attend('Wanted', { utm }) },
  ];
  webinar.start();
  await Promise.all(people.map(({ guest }) => guest.beat()));
  const watching = people.filter(({ met }) => met[0]).map(({ guest }) => guest);
  await watchTogether(world.clock, watching, 300);
  for (const { met, guest } of people) {
    if (met[1]) await guest.click(offer);
    await guest.click(cta);
  }
  const executions = await webinar.executions(rule);
  const passed = executions.map(({ conditions }) => conditions.map((one: { passed: boolean }) => one.passed));
  expect(passed).toEqual(people.map(({ met }) => met));
  expect((await webinar.sent(rule)).map(({ body }) => body.attendee.name)).toEqual(['Wanted']);
});

test('conditions include the effects of the event itself', async () => {
  const webinar = await world.createWebinar({ fields: { attendance: { completionPercent: 50 } } });
  const offer = await webinar.interaction({ type: 'offer', ...link });
  const half = await webinar.rule('watched_percent', { percent: 50 }, { conditions: [watchedHalf] });
  const clicked = { field: 'clickedOffer', operator: 'exists', value: true };
  const click = await webinar.rule('cta_click', {}, { conditions: [clicked] });
  const isComplete = { field: 'completed', operator: 'eq', value: true };
  const complete = await webinar.rule('video_complete', {}, { conditions: [isComplete] });
  const guest = await webinar.attend();
  webinar.start();
  await guest.beat();
  await guest.click(offer);
  await guest.watch(300);
  for (const rule of [half, click, complete]) expect(await webinar.outcomes(rule)).toEqual(['matched']);
});

test('the conditions of a timer are evaluated when it is due, not when it starts', async () => {
  const webinar = await world.createWebinar();
  const cta = await webinar.interaction({ type: 'cta', ...link });
  const params = { event: 'cta_click', delayMinutes: 5 };
  const rule = await webinar.rule('time_elapsed_after_event', params, { conditions: [watchedHalf] });
  const [guest, idle] = [await webinar.attend('Ada'), await webinar.attend('Idle')];
  webinar.start();
  await Promise.all([guest, idle].map((one) => one.beat()));
  await guest.click(cta);
  await idle.click(cta);
  await guest.watch(300);
  world.clock.advance(1);
  await world.tick();
  const actuals = (await webinar.executions(rule)).map(({ registrationId, outcome, conditions }) => [
    registrationId === guest.registrationId,
    outcome,
    conditions[0].actual,
  ]);
  expect(actuals.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
    [false, 'skipped', 0],
    [true, 'matched', 50],
  ]);
});

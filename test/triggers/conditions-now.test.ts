// Conditions are about what is so when the event comes, and all of them must hold.
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

test('a click before enough was watched fires nothing, one after it does, and only that one', async () => {
  const show = await world.show();
  const cta = await show.interaction({ type: 'cta', ...link });
  const rule = await show.rule('cta_click', {}, { conditions: [watchedHalf] });
  const guest = await show.attend();
  show.start();
  for (const seconds of [240, 59, 1, 100]) {
    await guest.watch(seconds);
    await guest.click(cta);
  }
  const early = 'condition_not_met';
  expect(await show.outcomes(rule)).toEqual([early, early, 'matched', 'already_fired']);
  const looks = await show.executions(rule);
  expect(looks.map(({ conditions }) => conditions[0].actual)).toEqual([40, 49, 50, 66]);
  expect(await show.typesSent(rule)).toEqual(['cta_click']);
});

test('of three conditions each alone keeps it from firing', async () => {
  const show = await world.show();
  const [offer, cta] = [
    await show.interaction({ type: 'offer', ...link }),
    await show.interaction({ type: 'cta', ...link }),
  ];
  const conditions = [
    watchedHalf,
    { field: 'clickedOffer', operator: 'eq', value: offer },
    { field: 'utm.source', operator: 'in', value: ['mail', 'ads'] },
  ];
  const rule = await show.rule('cta_click', { interactionId: cta }, { conditions });
  const utm = { source: 'Mail' };
  // What each does: watch half of it, click the offer, come from a campaign.
  const people = [
    { holds: [false, true, true], guest: await show.attend('Hurried', { utm }) },
    { holds: [true, false, true], guest: await show.attend('Careful', { utm }) },
    { holds: [true, true, false], guest: await show.attend('Unknown') },
    { holds: [true, true, true], guest: await show.attend('Wanted', { utm }) },
  ];
  show.start();
  await Promise.all(people.map(({ guest }) => guest.beat()));
  const watching = people.filter(({ holds }) => holds[0]).map(({ guest }) => guest);
  await watchTogether(world.clock, watching, 300);
  for (const { holds, guest } of people) {
    if (holds[1]) await guest.click(offer);
    await guest.click(cta);
  }
  const looks = await show.executions(rule);
  const passed = looks.map(({ conditions }) => conditions.map((one: { passed: boolean }) => one.passed));
  expect(passed).toEqual(people.map(({ holds }) => holds));
  expect((await show.sent(rule)).map(({ body }) => body.attendee.name)).toEqual(['Wanted']);
});

test('what an event itself has brought about counts', async () => {
  const show = await world.show({ webinar: { attendance: { completionPercent: 50 } } });
  const offer = await show.interaction({ type: 'offer', ...link });
  const half = await show.rule('watched_percent', { percent: 50 }, { conditions: [watchedHalf] });
  const clicked = { field: 'clickedOffer', operator: 'exists', value: true };
  const click = await show.rule('cta_click', {}, { conditions: [clicked] });
  const isComplete = { field: 'completed', operator: 'eq', value: true };
  const complete = await show.rule('video_complete', {}, { conditions: [isComplete] });
  const guest = await show.attend();
  show.start();
  await guest.beat();
  await guest.click(offer);
  await guest.watch(300);
  for (const rule of [half, click, complete]) expect(await show.outcomes(rule)).toEqual(['matched']);
});

test('a timer asks when it is due, not when it began to wait', async () => {
  const show = await world.show();
  const cta = await show.interaction({ type: 'cta', ...link });
  const params = { event: 'cta_click', delayMinutes: 5 };
  const rule = await show.rule('time_elapsed_after_event', params, { conditions: [watchedHalf] });
  const [guest, idle] = [await show.attend('Ada'), await show.attend('Idle')];
  show.start();
  await Promise.all([guest, idle].map((one) => one.beat()));
  await guest.click(cta);
  await idle.click(cta);
  await guest.watch(300);
  world.clock.advance(1);
  await world.tick();
  const actuals = (await show.executions(rule)).map(({ registrationId, outcome, conditions }) => [
    registrationId === guest.registrationId,
    outcome,
    conditions[0].actual,
  ]);
  expect(actuals.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
    [false, 'skipped', 0],
    [true, 'matched', 50],
  ]);
});

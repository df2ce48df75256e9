// Conditions use the facts at the time of the event, and all of them must be met.
import { expect } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './test-webinar.ts';
import { test } from './trigger-world.ts';

const link = { url: 'https://shop.example/', buttonLabel: 'Go' };
const watchedHalf = { field: 'watchedPercent', operator: 'gte', value: 50 };

test('a click before the condition is met fires nothing, a click afterwards fires once', async ({
  webinar,
}) => {
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

test('conditions include the effects of the event itself', async ({ world }) => {
  const webinar = await world.createWebinar({ fields: { attendance: { completionPercent: 50 } } });
  const offer = await webinar.interaction({ type: 'offer', ...link });
  const joined = { conditions: [{ field: 'joined', operator: 'eq', value: true }] };
  const early = await webinar.rule('registered', {}, joined);
  const join = await webinar.rule('joined', {}, joined);
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
  expect(await webinar.outcomes(early)).toEqual(['condition_not_met']);
  for (const rule of [join, half, click, complete]) expect(await webinar.outcomes(rule)).toEqual(['matched']);
});

test('an execution has the expected and the actual value of each condition', async ({ world, webinar }) => {
  const offer = await webinar.interaction({ type: 'offer', ...link });
  const cta = await webinar.interaction({ type: 'cta', ...link });
  const options = ['yes', 'no'].map((id) => ({ id, label: id }));
  const poll = await webinar.interaction({ type: 'poll', options });
  const yes = { interactionId: poll, optionId: 'yes' };
  const no = { interactionId: poll, optionId: 'no' };
  const cases: [string, string, unknown, unknown, unknown][] = [
    ['watchedPercent', 'gte', 50, 10, 50],
    ['pollAnswer', 'eq', yes, [no], [yes]],
    ['clickedOffer', 'eq', offer, [], [offer]],
    ['chatMessage', 'contains', 'price', ['Hello'], ['The PRICE?']],
    ['chatMessage', 'contains_word', 'pric', ['Hello'], ['The PRICE?']],
    ['utm.source', 'eq', 'Mail', null, 'mail'],
  ];
  const rules: Hook[] = [];
  for (const [field, operator, value] of cases) {
    const conditions = [{ field, operator, value }];
    rules.push(await webinar.rule('cta_click', { interactionId: cta }, { conditions }));
  }
  const [idle, keen] = [
    await webinar.attend('Idle'),
    await webinar.attend('Keen', { utm: { source: 'mail' } }),
  ];
  webinar.start();
  await Promise.all([idle.beat(), keen.beat()]);
  await watchTogether(world.clock, [idle, keen], 60);
  await keen.watch(240);
  await idle.answer(poll, 'no');
  await keen.answer(poll, 'yes');
  await idle.say('Hello');
  await keen.say('The PRICE?');
  await keen.click(offer);
  await idle.click(cta);
  await keen.click(cta);

  const everything = await webinar.executions();
  for (const [index, [field, operator, expected, ...actuals]] of cases.entries()) {
    const executions = await webinar.executions(rules[index]);
    // Here the word is only part of a longer word, so the fifth condition fails for every attendee.
    const passed = [false, index !== 4];
    expect(executions.map(({ conditions }) => conditions)).toEqual(
      actuals.map((actual, who) => [{ field, operator, expected, actual, passed: passed[who] }]),
    );
    const sent = await webinar.sent(rules[index]!);
    expect(
      executions.map(({ outcome, skipReason, deliveryId }) => [outcome, skipReason, deliveryId]),
    ).toEqual(
      passed.map((isMet) =>
        isMet ? ['matched', null, sent[0]!.deliveryId] : ['skipped', 'condition_not_met', null],
      ),
    );
    // The deliveries go on meanwhile.
    const withoutOutcomes = (list: typeof executions) => list.map((one) => ({ ...one, actions: [] }));
    expect(withoutOutcomes(everything.filter(({ ruleId }) => ruleId === rules[index]!.id))).toEqual(
      withoutOutcomes(executions),
    );
  }
});

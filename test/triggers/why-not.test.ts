// "Why did it not fire?" over REST: conditions and earlier firings.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './test-webinar.ts';
import { createTriggerWorld, type TriggerWorld } from './trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await createTriggerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const [link, button] = [{ url: 'https://shop.example/' }, { buttonLabel: 'Go' }];

test('an execution has the expected and the actual value of each condition', async () => {
  const webinar = await world.createWebinar();
  const offer = await webinar.interaction({ type: 'offer', ...link, ...button });
  const cta = await webinar.interaction({ type: 'cta', ...link, ...button });
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
    expect(everything.filter(({ ruleId }) => ruleId === rules[index]!.id)).toEqual(executions);
  }
});

test('an attendee who has only registered has not joined', async () => {
  const webinar = await world.createWebinar();
  const condition = { field: 'joined', operator: 'eq', value: true };
  const rules = [
    await webinar.rule('registered', {}, { conditions: [condition] }),
    await webinar.rule('joined', {}, { conditions: [condition] }),
  ];
  const guest = await webinar.attend();
  webinar.start();
  await guest.beat();
  const results = (await webinar.executions()).map(({ ruleId, outcome, conditions }) => [
    ruleId,
    outcome,
    conditions[0].actual,
  ]);
  expect(results).toEqual([
    [rules[0]!.id, 'skipped', false],
    [rules[1]!.id, 'matched', true],
  ]);
});

test('an execution names the rule, registration, session and event, and a second one is already_fired', async () => {
  const webinar = await world.createWebinar();
  const cta = await webinar.interaction({ type: 'cta', ...link, ...button });
  const rule = await webinar.rule('cta_click', {}, { name: 'Sales' });
  const guest = await webinar.attend();
  webinar.start();
  await guest.click(cta);
  await guest.click(cta);
  const { registrationId, sessionId } = guest;
  const timeline = (await webinar.rest(`GET ./registrations/${registrationId}/events`)).json.data;
  const [second, first] = timeline.map(({ id }: { id: string }) => id);
  const ids = { ruleId: rule.id, ruleName: 'Sales', registrationId, sessionId };
  const execution = { ...ids, eventType: 'cta_click', conditions: [] };
  const [sent] = await webinar.sent(rule);
  expect(await webinar.executions(rule)).toEqual([
    {
      ...execution,
      ...made,
      eventId: first,
      outcome: 'matched',
      skipReason: null,
      deliveryId: sent!.deliveryId,
    },
    {
      ...execution,
      ...made,
      eventId: second,
      outcome: 'skipped',
      skipReason: 'already_fired',
      deliveryId: null,
    },
  ]);
});

const made = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

test('an event that the params of a trigger leave out has no execution', async () => {
  const webinar = await world.createWebinar();
  const [one, other] = [
    await webinar.interaction({ type: 'cta', ...link, ...button }),
    await webinar.interaction({ type: 'cta', ...link, ...button }),
  ];
  const rule = await webinar.rule('cta_click', { interactionId: one });
  const guest = await webinar.attend();
  webinar.start();
  await guest.click(other);
  expect(await webinar.executions()).toEqual([]);
  await guest.click(one);
  expect(await webinar.outcomes(rule)).toEqual(['matched']);
});

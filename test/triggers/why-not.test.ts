// "Why did it not fire", asked over REST: of conditions and of what has fired before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTogether } from '../support/attendee.ts';
import type { Hook } from './show.ts';
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

test('each condition says what it expected and what was the case', async () => {
  const show = await world.show();
  const offer = await show.interaction({ type: 'offer', ...link, ...button });
  const cta = await show.interaction({ type: 'cta', ...link, ...button });
  const poll = await show.interaction({ type: 'poll', options });
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
    rules.push(await show.rule('cta_click', { interactionId: cta }, { conditions }));
  }
  const [idle, keen] = [await show.attend('Idle'), await show.attend('Keen', { utm: { source: 'mail' } })];
  show.start();
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

  const everything = await show.executions();
  for (const [index, [field, operator, expected, ...actuals]] of cases.entries()) {
    const looks = await show.executions(rules[index]);
    // The word is no part of another one, so the fifth is passed by nobody.
    const passed = [false, index !== 4];
    expect(looks.map(({ conditions }) => conditions)).toEqual(
      actuals.map((actual, who) => [{ field, operator, expected, actual, passed: passed[who] }]),
    );
    const sent = await show.sent(rules[index]!);
    expect(looks.map(({ outcome, skipReason, deliveryId }) => [outcome, skipReason, deliveryId])).toEqual(
      passed.map((isHeld) =>
        isHeld ? ['matched', null, sent[0]!.deliveryId] : ['skipped', 'condition_not_met', null],
      ),
    );
    expect(everything.filter(({ ruleId }) => ruleId === rules[index]!.id)).toEqual(looks);
  }
});

test('who has only registered has not joined', async () => {
  const show = await world.show();
  const condition = { field: 'joined', operator: 'eq', value: true };
  const rules = [
    await show.rule('registered', {}, { conditions: [condition] }),
    await show.rule('joined', {}, { conditions: [condition] }),
  ];
  const guest = await show.attend();
  show.start();
  await guest.beat();
  const results = (await show.executions()).map(({ ruleId, outcome, conditions }) => [
    ruleId,
    outcome,
    conditions[0].actual,
  ]);
  expect(results).toEqual([
    [rules[0]!.id, 'skipped', false],
    [rules[1]!.id, 'matched', true],
  ]);
});

test('an execution names the rule, the registrant, the session and the event, and says that it had fired', async () => {
  const show = await world.show();
  const cta = await show.interaction({ type: 'cta', ...link, ...button });
  const rule = await show.rule('cta_click', {}, { name: 'Tell sales' });
  const guest = await show.attend();
  show.start();
  await guest.click(cta);
  await guest.click(cta);
  const { registrationId, sessionId } = guest;
  const timeline = (await show.rest(`GET ./registrations/${registrationId}/events`)).json.data;
  const [second, first] = timeline.map(({ id }: { id: string }) => id);
  const ids = { ruleId: rule.id, ruleName: 'Tell sales', registrationId, sessionId };
  const look = { ...ids, eventType: 'cta_click', conditions: [] };
  const [sent] = await show.sent(rule);
  expect(await show.executions(rule)).toEqual([
    { ...look, ...made, eventId: first, outcome: 'matched', skipReason: null, deliveryId: sent!.deliveryId },
    { ...look, ...made, eventId: second, outcome: 'skipped', skipReason: 'already_fired', deliveryId: null },
  ]);
});

const made = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

test('what a trigger leaves out was not looked at', async () => {
  const show = await world.show();
  const [one, other] = [
    await show.interaction({ type: 'cta', ...link, ...button }),
    await show.interaction({ type: 'cta', ...link, ...button }),
  ];
  const rule = await show.rule('cta_click', { interactionId: one });
  const guest = await show.attend();
  show.start();
  await guest.click(other);
  expect(await show.executions()).toEqual([]);
  await guest.click(one);
  expect(await show.outcomes(rule)).toEqual(['matched']);
});

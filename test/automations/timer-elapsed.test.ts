import { expect } from 'vitest';
import { happened, type Registrant } from './subscriber-world.ts';
import { minutesAfter, secondsAfter, type TimerWorld, test } from './timer-world.ts';

const tenAfterClick = (rest: object = {}) => ({
  type: 'time_elapsed_after_event',
  params: { event: 'cta_click', delayMinutes: 10, ...rest },
});
const unlessComplete = tenAfterClick({ unlessEvent: 'video_complete' });

const click = (registrant: Registrant, occurredAt: Date) => ({
  ...happened(registrant, 'cta_click'),
  occurredAt,
});

/** Publishes a click now. Returns the time ten minutes later. */
async function clickNow(world: TimerWorld, registrant: Registrant): Promise<Date> {
  const clickedAt = new Date();
  await world.publish([click(registrant, clickedAt)]);
  return minutesAfter(clickedAt, 10);
}

test('each attendee gets the webhook after the delay from their first event, later events change nothing', async ({
  world,
}) => {
  const ruleId = await world.rule(tenAfterClick());
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  const clickedAt = new Date();
  await world.publish([click(ada, clickedAt), click(bob, minutesAfter(clickedAt, 5))]);
  await world.publish([click(ada, minutesAfter(clickedAt, 3)), happened(bob, 'video_complete')]);
  expect(await world.fire(secondsAfter(minutesAfter(clickedAt, 10), -1))).toEqual({ fired: 0 });
  expect(await world.fire(minutesAfter(clickedAt, 10))).toEqual({ fired: 1 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
  expect(await world.fire(minutesAfter(clickedAt, 15))).toEqual({ fired: 1 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched', 'bob matched']);
});

test('of two events in one call the earlier one starts the timer', async ({ world }) => {
  await world.rule(tenAfterClick());
  const ada = await world.registrant('ada@example.com');
  const clickedAt = new Date();
  await world.publish([click(ada, secondsAfter(clickedAt, 1)), click(ada, clickedAt)]);
  expect(await world.timers()).toMatchObject([{ due_at: minutesAfter(clickedAt, 10) }]);
});

test('the unlessEvent stops the rule between the event and the due time, not before or after', async ({
  world,
}) => {
  const ruleId = await world.rule(unlessComplete);
  const people = await Promise.all(
    ['before', 'first', 'last', 'after', 'other'].map((name) => world.registrant(`${name}@example.com`)),
  );
  const clickedAt = new Date();
  await world.publish(people.map((one) => click(one, clickedAt)));
  const dueAt = minutesAfter(clickedAt, 10);
  const [before, first, last, after, other] = people as [
    Registrant,
    Registrant,
    Registrant,
    Registrant,
    Registrant,
  ];
  await world.note(before, 'video_complete', secondsAfter(clickedAt, -1));
  await world.note(first, 'video_complete', clickedAt);
  await world.note(last, 'video_complete', dueAt);
  await world.note(after, 'video_complete', secondsAfter(dueAt, 0.001));
  await world.note(other, 'left', dueAt);
  await world.fire(minutesAfter(dueAt, 5));
  expect(await world.outcomes(ruleId)).toEqual([
    'after matched',
    'before matched',
    'first other_event_came',
    'last other_event_came',
    'other matched',
  ]);
});

test('a second event does not start a timer that has fired, unless the rule was changed', async ({
  world,
}) => {
  const ruleId = await world.rule(unlessComplete);
  const ada = await world.registrant('ada@example.com');
  const dueAt = await clickNow(world, ada);
  await world.note(ada, 'video_complete', new Date());
  await world.fire(dueAt);
  await world.publish([click(ada, minutesAfter(dueAt, 1))]);
  expect(await world.fire(minutesAfter(dueAt, 11))).toEqual({ fired: 0 });
  expect(await world.outcomes(ruleId)).toEqual(['ada other_event_came']);

  // A changed rule starts again for every attendee.
  expect((await world.call(`PATCH /automations/${ruleId}`, { trigger: tenAfterClick() })).status).toBe(200);
  await world.publish([click(ada, minutesAfter(dueAt, 20))]);
  await world.fire(minutesAfter(dueAt, 30));
  expect(await world.outcomes(ruleId)).toEqual(['ada matched', 'ada other_event_came']);
});

test('a cancelled registration, a cancelled session and a disabled rule are skipped with their reasons', async ({
  world,
}) => {
  const [on, off] = [await world.rule(unlessComplete), await world.rule(tenAfterClick())];
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  const dueAt = await clickNow(world, ada);
  await world.publish([click(bob, new Date())]);
  await world.note(bob, 'video_complete', minutesAfter(dueAt, -1));
  await world.call(`POST /registrations/${ada.registration.id}/cancel`);
  await world.set('automations.rule', off, { enabled: false });
  await world.fire(minutesAfter(dueAt, 1));
  expect(await world.outcomes(on)).toEqual(['ada registration_cancelled', 'bob other_event_came']);
  expect(await world.outcomes(off)).toEqual(['ada registration_cancelled', 'bob rule_disabled']);

  const cleo = await world.registrant('cleo@example.com');
  const laterAt = await clickNow(world, cleo);
  await world.change('cancelled', cleo.session.id, { status: 'cancelled' });
  await world.fire(laterAt);
  expect(await world.outcomes(on)).toContain('cleo session_cancelled');
});

test('conditions are evaluated with the facts at the time of the timer, not of the event', async ({
  world,
}) => {
  const isComplete = { field: 'completed', operator: 'eq', value: true };
  const ruleId = await world.rule(tenAfterClick(), { conditions: [isComplete] });
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  await world.publish([happened(bob, 'cta_click', { facts: { completed: true } })]);
  const dueAt = await clickNow(world, ada);
  await world.attend(ada, { first_joined_at: new Date(), completed_at: new Date() });
  await world.fire(dueAt);
  expect(await world.outcomes(ruleId)).toEqual(['ada matched', 'bob condition_not_met']);
});

test('a timer of a deleted rule has no execution', async ({ world }) => {
  const ruleId = await world.rule(tenAfterClick());
  const dueAt = await clickNow(world, await world.registrant('ada@example.com'));
  await world.service.db.database.pool.query('delete from automations.rule where id = $1', [ruleId]);
  expect(await world.fire(dueAt)).toEqual({ fired: 0 });
  expect(await world.executions()).toEqual([]);
  expect(await world.timers()).toEqual([]);
});

test('a timer that has fired is kept for ninety days, so that the same event cannot start it again', async ({
  world,
}) => {
  const ruleId = await world.rule(tenAfterClick());
  const dueAt = await clickNow(world, await world.registrant('ada@example.com'));
  expect(await world.fire(dueAt)).toEqual({ fired: 1 });
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId }]);
  expect(await world.fire(minutesAfter(dueAt, 90 * 24 * 60 - 1))).toEqual({ fired: 0 });
  expect(await world.timers()).toHaveLength(1);
  expect(await world.fire(minutesAfter(dueAt, 90 * 24 * 60 + 1))).toEqual({ fired: 0 });
  expect(await world.timers()).toEqual([]);
});

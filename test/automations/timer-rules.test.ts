import { expect } from 'vitest';
import { happened } from './subscriber-world.ts';
import { minutesAfter, type TimerWorld, test } from './timer-world.ts';

const before = (offsetMinutes: number) => ({ type: 'before_session', params: { offsetMinutes } });
const after = (offsetMinutes: number) => ({ type: 'after_session', params: { offsetMinutes } });
const elapsed = (event: string, delayMinutes: number) => ({
  type: 'time_elapsed_after_event',
  params: { event, delayMinutes },
});

const patch = async (world: TimerWorld, ruleId: string, body: object): Promise<void> => {
  expect((await world.call(`PATCH /automations/${ruleId}`, body)).status).toBe(200);
};

test('a new rule also fires for earlier registrations', async ({ world }) => {
  const ada = await world.register('ada@example.com');
  await world.set('attendees.registration', ada, { registered_at: minutesAfter(new Date(), -120) });
  const [inTime, tooLate] = [await world.rule(before(60)), await world.rule(before(25 * 60))];
  await world.fire(world.startsAt);
  expect(await world.outcomes(inTime)).toEqual(['ada matched']);
  expect(await world.outcomes(tooLate)).toEqual([]);
});

test('a new offset moves the timers, and deletes those whose time has passed', async ({ world }) => {
  const ruleId = await world.rule(before(60));
  await world.register('ada@example.com');
  await patch(world, ruleId, { trigger: before(120) });
  expect(await world.timers()).toMatchObject([{ due_at: minutesAfter(world.startsAt, -120) }]);
  await patch(world, ruleId, { trigger: before(25 * 60) });
  expect(await world.timers()).toEqual([]);
  await patch(world, ruleId, { trigger: before(30) });
  await world.fire(minutesAfter(world.startsAt, -30));
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
});

test('a due timer stays due when the rule gets another name', async ({ world }) => {
  const ruleId = await world.rule(before(60));
  const { session } = await world.registrant('ada@example.com');
  // The timer is due, and no worker has fired it yet.
  const [startsAt, dueAt] = [minutesAfter(new Date(), 59), minutesAfter(new Date(), -1)];
  await world.set('webinars.session', session.id, { starts_at: startsAt });
  await world.set('automations.timer', (await world.timers())[0]!.id, { due_at: dueAt });
  await patch(world, ruleId, { name: 'Other' });
  expect(await world.timers()).toMatchObject([{ due_at: dueAt }]);
});

test('a new trigger deletes the timers of the former one, and deleting a rule deletes all of its timers', async ({
  world,
}) => {
  const ids: string[] = [];
  const triggers = [before(60), after(60), elapsed('joined', 10)];
  for (const trigger of triggers) ids.push(await world.rule(trigger), await world.rule(trigger));
  const ada = await world.registrant('ada@example.com');
  await world.publish([happened(ada, 'joined')]);
  const endedAt = new Date();
  const dayLater = minutesAfter(endedAt, 24 * 60);
  await world.change('ended', ada.session.id, { status: 'ended', actual_ended_at: endedAt });
  await world.change('moved', ada.session.id, { status: 'scheduled', starts_at: dayLater });
  const waiting = async () => (await world.timers()).map((timer) => timer.rule_id).toSorted();
  expect(await waiting()).toEqual(ids.toSorted());

  const [first, , second, , third] = ids as [string, string, string, string, string];
  await patch(world, first, { trigger: elapsed('joined', 10) });
  await patch(world, second, { trigger: { type: 'joined' } });
  await patch(world, third, { trigger: elapsed('left', 10) });
  const changed = new Set([first, second, third]);
  expect(await waiting()).toEqual(ids.filter((id) => !changed.has(id)).toSorted());
  for (const id of ids) await world.call(`DELETE /automations/${id}`);
  expect(await world.timers()).toEqual([]);
});

test('a registration made while a rule was off gets the webhook if the rule is on in time', async ({
  world,
}) => {
  const ruleId = await world.rule(before(60), { enabled: false });
  await world.register('ada@example.com');
  expect(await world.timers()).toEqual([]);
  await patch(world, ruleId, { enabled: true });
  await world.fire(minutesAfter(world.startsAt, -60));
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
});

test('a new delay moves running timers, counted from the same event', async ({ world }) => {
  const [delayed, ended] = [await world.rule(elapsed('joined', 10)), await world.rule(after(10))];
  const ada = await world.registrant('ada@example.com');
  const joined = happened(ada, 'joined');
  await world.publish([joined]);
  const endedAt = new Date();
  await world.change('ended', ada.session.id, { status: 'ended', actual_ended_at: endedAt });
  await patch(world, delayed, { trigger: elapsed('joined', 30) });
  await patch(world, ended, { trigger: after(40) });
  expect(await world.timers()).toMatchObject([
    { rule_id: delayed, due_at: minutesAfter(joined.occurredAt, 30) },
    { rule_id: ended, due_at: minutesAfter(endedAt, 40) },
  ]);
});

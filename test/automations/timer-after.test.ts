import { expect } from 'vitest';
import { minutesAfter, test } from './timer-world.ts';

const after = (audience: string, offsetMinutes = 0) => ({
  type: 'after_session',
  params: { offsetMinutes, audience },
});

test('audience and conditions are evaluated with the facts at the time of the timer', async ({ world }) => {
  const halfWatched = { field: 'watchedPercent', operator: 'gte', value: 50 };
  const ruleId = await world.rule(after('attended', 60), { conditions: [halfWatched] });
  const endedAt = minutesAfter(world.startsAt, 60);
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  await world.change('ended', ada.session.id, { status: 'ended', actual_ended_at: endedAt });
  const joined = { first_joined_at: world.startsAt, last_seen_at: endedAt };
  await world.attend(ada, { ...joined, watched_seconds: 1800, completion_percent: 50 });
  await world.attend(bob, { ...joined, watched_seconds: 1764, completion_percent: 49 });
  await world.fire(minutesAfter(endedAt, 60));
  expect(await world.outcomes(ruleId)).toEqual(['ada matched', 'bob condition_not_met']);
});

test('a rule that is off when the session ends, or created later, does not fire for it', async ({
  world,
}) => {
  const off = await world.rule(after('all'), { enabled: false });
  const { session } = await world.registrant('ada@example.com');
  const endedAt = minutesAfter(new Date(), -1);
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: endedAt });
  expect((await world.call(`PATCH /automations/${off}`, { enabled: true })).status).toBe(200);
  const late = await world.rule(after('all'));
  expect(await world.fire(minutesAfter(world.startsAt, 600))).toEqual({ fired: 0 });
  expect([await world.outcomes(off), await world.outcomes(late)]).toEqual([[], []]);
});

test('a rule that is switched off before its timer is due is skipped, a deleted one has no execution', async ({
  world,
}) => {
  const [off, gone] = [await world.rule(after('all')), await world.rule(after('all'))];
  const { session } = await world.registrant('ada@example.com');
  const cancelled = await world.register('bob@example.com');
  await world.call(`POST /registrations/${cancelled}/cancel`);
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: world.startsAt });
  await world.set('automations.rule', off, { enabled: false });
  await world.service.db.database.pool.query('delete from automations.rule where id = $1', [gone]);
  expect(await world.fire(world.startsAt)).toEqual({ fired: 2 });
  expect(await world.outcomes(off)).toEqual(['ada rule_disabled', 'bob registration_cancelled']);
  const { rows } = await world.service.db.database.pool.query(
    'select count(*)::int as count from automations.execution where rule_id = $1',
    [gone],
  );
  expect(rows).toEqual([{ count: 0 }]);
  expect(await world.timers()).toEqual([]);
});

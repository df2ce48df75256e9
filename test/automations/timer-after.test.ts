import { expect, test } from 'vitest';
import { createTimerWorld, minutesAfter, secondsAfter, type TimerWorld } from './timer-world.ts';

const after = (audience: string, offsetMinutes = 0) => ({
  type: 'after_session',
  params: { offsetMinutes, audience },
});

/** Ada completed it, bob left after half of it, cleo watched half of it to the end, dan left after 20 s, eve never came. */
async function haveSession(world: TimerWorld, endedAt: Date): Promise<void> {
  const there = async (name: string, columns: Record<string, unknown>) =>
    world.attend(await world.registrant(`${name}@example.com`), {
      first_joined_at: secondsAfter(endedAt, -3600),
      left_at: endedAt,
      last_seen_at: secondsAfter(endedAt, -5),
      ...columns,
    });
  const gone = { last_seen_at: secondsAfter(endedAt, -1800), left_at: secondsAfter(endedAt, -1800) };
  await there('ada', { watched_seconds: 3500, completion_percent: 97, completed_at: endedAt });
  await there('bob', { watched_seconds: 1800, completion_percent: 50, ...gone });
  await there('cleo', { watched_seconds: 1800, completion_percent: 50 });
  await there('dan', { watched_seconds: 20, completion_percent: 0, ...gone });
  const { session } = await world.registrant('eve@example.com');
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: endedAt });
}

test('attendees in the audience get the webhook, the others an execution with the reason not_in_audience', async () => {
  await using world = await createTimerWorld();
  await world.set('webinars.webinar', world.webinar.id, {
    attendance: '{"minSeconds": 60, "completionPercent": 95, "noShowGraceMinutes": 10}',
  });
  const endedAt = minutesAfter(world.startsAt, 60);
  const [all, attended, noShow, completed, leftEarly] = [
    await world.rule(after('all')),
    await world.rule(after('attended')),
    await world.rule(after('no_show')),
    await world.rule(after('completed')),
    await world.rule(after('left_early')),
  ];
  await haveSession(world, endedAt);
  expect(await world.fire(endedAt)).toEqual({ fired: 25 });

  const matchedOf = async (ruleId: string) => {
    const outcomes = await world.outcomes(ruleId);
    expect(outcomes).toHaveLength(5);
    expect(outcomes.filter((one) => !/ (matched|not_in_audience)$/.test(one))).toEqual([]);
    return outcomes.filter((one) => one.endsWith('matched')).map((one) => one.split(' ')[0]);
  };
  expect(await matchedOf(all)).toEqual(['ada', 'bob', 'cleo', 'dan', 'eve']);
  expect(await matchedOf(attended)).toEqual(['ada', 'bob', 'cleo']);
  expect(await matchedOf(noShow)).toEqual(['dan', 'eve']);
  expect(await matchedOf(completed)).toEqual(['ada']);
  expect(await matchedOf(leftEarly)).toEqual(['bob']);

  const bodies = await world.bodies({ ruleId: all });
  const dataOf = (email: string) => bodies.find((body) => body.attendee.email === email).event_data;
  const times = {
    sessionStartedAt: world.webinar.sessionTime,
    sessionEndedAt: endedAt.toISOString(),
    minutesAfter: 0,
  };
  expect(dataOf('bob@example.com')).toEqual({
    ...times,
    attended: true,
    watchedSeconds: 1800,
    completionPercent: 50,
  });
  expect(dataOf('dan@example.com')).toMatchObject({ ...times, attended: false, watchedSeconds: 20 });
});

test('audience and conditions are evaluated with the facts at the time of the timer', async () => {
  await using world = await createTimerWorld();
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

test('a rule that is off when the session ends, or created later, does not fire for it', async () => {
  await using world = await createTimerWorld();
  const off = await world.rule(after('all'), { enabled: false });
  const { session } = await world.registrant('ada@example.com');
  const endedAt = minutesAfter(new Date(), -1);
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: endedAt });
  expect((await world.call(`PATCH /automations/${off}`, { enabled: true })).status).toBe(200);
  const late = await world.rule(after('all'));
  expect(await world.fire(minutesAfter(world.startsAt, 600))).toEqual({ fired: 0 });
  expect([await world.outcomes(off), await world.outcomes(late)]).toEqual([[], []]);
});

test('a rule that is switched off before its timer is due is skipped, a deleted one has no execution', async () => {
  await using world = await createTimerWorld();
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

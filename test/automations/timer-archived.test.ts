// Timers of a webinar that does not accept events. The API answers 404 for an archived webinar, so executions are read from the database.
import { expect } from 'vitest';
import { happened } from './subscriber-world.ts';
import { minutesAfter, type TimerWorld, test } from './timer-world.ts';

const beforeSession = { type: 'before_session', params: { offsetMinutes: 60 } };
const afterSession = { type: 'after_session', params: { offsetMinutes: 0, audience: 'completed' } };
const afterClick = { type: 'time_elapsed_after_event', params: { event: 'cta_click', delayMinutes: 10 } };

/** The executions of a rule: the reason, and whether there is a delivery. */
async function reasons({ service }: TimerWorld, ruleId: string): Promise<string[]> {
  const { rows } = await service.db.database.pool.query(
    `select skip_reason, delivery_id is not null as is_sent from automations.execution where rule_id = $1 order by id`,
    [ruleId],
  );
  return rows.map((row) => `${row.skip_reason}${row.is_sent ? ' and sent' : ''}`);
}

test('timers of an archived webinar are skipped with the reason webinar_archived, before any other reason', async ({
  world,
}) => {
  const [before, click, off] = [
    await world.rule(beforeSession),
    await world.rule(afterClick),
    await world.rule(beforeSession),
  ];
  const ada = await world.registrant('ada@example.com');
  const cancelled = await world.register('bob@example.com');
  await world.call(`POST /registrations/${cancelled}/cancel`);
  await world.call(`PATCH /automations/${off}`, { enabled: false });
  await world.publish([happened(ada, 'cta_click')]);
  expect((await world.call('POST /archive')).status).toBe(200);

  expect(await world.fire(world.startsAt)).toEqual({ fired: 5 });
  const archived = ['webinar_archived', 'webinar_archived'];
  expect([await reasons(world, before), await reasons(world, off)]).toEqual([archived, archived]);
  expect(await reasons(world, click)).toEqual(['webinar_archived']);
  expect(await world.fire(minutesAfter(world.startsAt, 60))).toEqual({ fired: 0 });
});

test.for([
  ['a deleted webinar fire nothing, because its rules are deleted', 'DELETE ', []],
  ['a draft are skipped with the reason webinar_unpublished', 'POST /unpublish', ['webinar_unpublished']],
] as const)('after an ended session the timers of %s', async ([, route, skipped], { world }) => {
  const ruleId = await world.rule(afterSession);
  const { session } = await world.registrant('ada@example.com');
  await world.change('ended', session.id, { status: 'ended', actual_ended_at: world.startsAt });
  expect((await world.call(route)).status).toBeLessThan(300);
  expect(await world.fire(world.startsAt)).toEqual({ fired: skipped.length });
  expect(await reasons(world, ruleId)).toEqual(skipped);
  expect(await world.timers()).toEqual([]);
});

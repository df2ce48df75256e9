import { fireDueTimers } from '@service/automations';
import type { Database } from '@service/database';
import { expect } from 'vitest';
import { registerMany } from '../attendees/registrations.ts';
import { happened } from './subscriber-world.ts';
import { minutesAfter, secondsAfter, type TimerWorld, test } from './timer-world.ts';

const hourBefore = { type: 'before_session', params: { offsetMinutes: 60 } };
const tenAfterClick = {
  type: 'time_elapsed_after_event',
  params: { event: 'cta_click', delayMinutes: 10 },
};

/** Registers some batches of five hundred. */
async function registerHundreds(world: TimerWorld, batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const rows = Array.from({ length: 500 }, (_, index) => ({ email: `r${batch}-${index}@example.com` }));
    const { json } = await registerMany(world, rows);
    expect(json.summary).toMatchObject({ created: 500 });
  }
}

/** The numbers of attendees, executions and deliveries. */
async function count({ service }: TimerWorld) {
  const { rows } = await service.db.database.pool.query(`
    select count(distinct registration_id)::int as people, count(*)::int as executions,
      count(*) filter (where outcome = 'matched')::int as matched,
      (select count(*)::int from deliveries.delivery) as deliveries
    from automations.execution`);
  return rows[0];
}

/** The database of a worker that dies before one of its transactions commits. */
function dyingAt(database: Database, nth: number): Pick<Database, 'query' | 'transaction'> {
  let begun = 0;
  return {
    query: database.query,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        begun += 1;
        if (begun === nth) throw new Error('killed');
        return result;
      }),
  };
}

test('if a worker dies in the middle of five thousand registrations, another continues, and each gets one webhook', async ({
  world,
}) => {
  await world.rule(hourBefore);
  await registerHundreds(world, 10);
  const { database } = world.service.db;
  const { deliveries } = world.service.api.service;
  const options = { now: world.startsAt, deliveries };
  await expect(fireDueTimers(dyingAt(database, 3), options)).rejects.toThrow('1 timers failed');
  expect(await count(world)).toEqual({ people: 2000, executions: 2000, matched: 2000, deliveries: 2000 });

  expect(await fireDueTimers(database, options)).toEqual({ fired: 3000 });
  expect(await count(world)).toEqual({ people: 5000, executions: 5000, matched: 5000, deliveries: 5000 });
  expect(await world.timers()).toEqual([]);
});

test('with two workers each registration gets one webhook', async ({ world }) => {
  await world.rule(hourBefore);
  await world.rule(tenAfterClick);
  await registerHundreds(world, 3);
  const ada = await world.registrant('ada@example.com');
  const { rows } = await world.service.db.database.pool.query('select * from attendees.registration');
  await world.publish(
    rows.map(({ id }) => happened({ ...ada, registration: { ...ada.registration, id } }, 'cta_click')),
  );
  expect(await world.timers()).toHaveLength(1502);
  const fired = await Promise.all([1, 2, 3].map(() => world.fire(world.startsAt)));
  expect(fired.reduce((sum, one) => sum + one.fired, 0)).toBe(3002);
  expect(await count(world)).toEqual({ people: 1501, executions: 3002, matched: 3002, deliveries: 3002 });
});

test('a session with many registrations does not delay timers that come due meanwhile until its end', async ({
  world,
}) => {
  await world.rule(hourBefore);
  const ruleId = await world.rule(tenAfterClick);
  await registerHundreds(world, 5);
  const ada = await world.registrant('ada@example.com');
  const { database } = world.service.db;
  const { deliveries } = world.service.api.service;
  const fire = () => fireDueTimers(database, { now: world.startsAt, deliveries, continueMs: 0 });
  expect(await fire()).toEqual({ fired: 1000 });
  await world.publish([happened(ada, 'cta_click')]);
  expect(await fire()).toEqual({ fired: 1001 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
  expect(await fire()).toEqual({ fired: 501 });
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId }]);
});

test('a timer that one worker has locked does not delay other timers', async ({ world }) => {
  const [locked, free] = [await world.rule(hourBefore), await world.rule(hourBefore)];
  await world.register('ada@example.com');
  const { fired } = await world.transaction(async ({ query }) => {
    await query({ text: 'select from automations.timer where rule_id = $1 for update' }, [locked]);
    return world.fire(world.startsAt);
  });
  expect(fired).toBe(1);
  expect(await world.outcomes(free)).toEqual(['ada matched']);
  expect(await world.timers()).toMatchObject([{ rule_id: locked }]);
});

test('a timer that fails stays due and does not stop the others', async ({ world }) => {
  const [badSession, badClick] = [await world.rule(hourBefore), await world.rule(tenAfterClick)];
  const good = [await world.rule(hourBefore), await world.rule(tenAfterClick)];
  const people = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  await world.publish(people.map((one) => happened(one, 'cta_click')));
  for (const id of [badSession, badClick])
    await world.set('automations.rule', id, {
      conditions: '[{"field": "joined", "operator": "unknown"}]',
    });
  const failure = await world.fire(world.startsAt).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors).toHaveLength(3);
  for (const id of good) expect(await world.outcomes(id)).toEqual(['ada matched', 'bob matched']);
  const due = (await world.timers()).filter((timer) => timer.due_at < world.startsAt);
  expect(due.map(({ rule_id: id }) => id).toSorted()).toEqual([badSession, badClick, badClick].toSorted());
});

test('thousands of timers of many accounts fire in one call', async ({ world }) => {
  const ruleId = await world.rule(tenAfterClick);
  const ada = await world.registrant('ada@example.com');
  const { pool } = world.service.db.database;
  // Timers of accounts without rules: due earlier, and more than one page.
  await pool.query(
    `insert into automations.timer (account_id, id, rule_id, webinar_id, session_id, registration_id, due_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, $1, gen_random_uuid(), $2
     from generate_series(1, 2001)`,
    [world.webinar.id, secondsAfter(new Date(), -60)],
  );
  await world.publish([happened(ada, 'cta_click')]);
  expect(await world.fire(minutesAfter(new Date(), 11))).toEqual({ fired: 1 });
  expect(await world.outcomes(ruleId)).toEqual(['ada matched']);
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId }]);
});

test('an aborted call starts no further transaction', async ({ world }) => {
  await world.rule(hourBefore);
  await world.register('ada@example.com');
  const { database } = world.service.db;
  const { deliveries } = world.service.api.service;
  const signal = AbortSignal.abort();
  expect(await fireDueTimers(database, { now: world.startsAt, deliveries, signal })).toEqual({ fired: 0 });
  expect(await world.timers()).toHaveLength(1);
});

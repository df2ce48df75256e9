import { createId } from '@service/database';
import { expect } from 'vitest';
import { scheduleAt } from '../support/api.ts';
import { createWorld } from '../support/world.ts';
import { nowhere } from './automation-world.ts';
import { happened, type Registrant } from './subscriber-world.ts';
import { minutesAfter, secondsAfter, type TimerWorld, test } from './timer-world.ts';

const before = (offsetMinutes: number) => ({ type: 'before_session', params: { offsetMinutes } });
const hourBefore = before(60);

/** Publishes an event. Returns the names of the statements that schedule timers. */
async function statementsOf(world: TimerWorld, event: ReturnType<typeof happened>): Promise<string[]> {
  const written: string[] = [];
  await world.transaction(async (tx) => {
    const counting = {
      ...tx,
      defer: (...[statement, values]: Parameters<typeof tx.defer>) => {
        written.push(statement.name!);
        tx.defer(statement, values);
      },
    };
    const interest = await world.subscriber.findInterest(counting, world.webinar.id, 'registered');
    await interest.onEvents(counting, [event]);
  });
  return written.filter((name) => name.includes('timers'));
}

test('each registration gets the webhook once, at the offset before the start', async ({ world }) => {
  const ruleId = await world.rule(hourBefore);
  const dueAt = minutesAfter(world.startsAt, -60);
  await world.removeTimers();
  await world.register('ada@example.com');
  await world.register('bob@example.com');
  await world.call(`POST /registrations/${await world.register('cleo@example.com')}/cancel`);
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId, registration_id: null, due_at: dueAt }]);

  expect(await world.fire(new Date(dueAt.getTime() - 1))).toEqual({ fired: 0 });
  expect(await world.fire(dueAt)).toEqual({ fired: 3 });
  expect(await world.fire(world.startsAt)).toEqual({ fired: 0 });
  expect(await world.timers()).toEqual([]);
  const outcomes = ['ada matched', 'bob matched', 'cleo registration_cancelled'];
  expect(await world.outcomes(ruleId)).toEqual(outcomes);
  expect(await world.bodies({ ruleId })).toHaveLength(2);
});

test('a late registration is registered_too_late at once, and not again when the timer fires', async ({
  world,
}) => {
  const [early, late] = [await world.rule(hourBefore), await world.rule(before(25 * 60))];
  await world.register('ada@example.com');
  expect(await world.outcomes(late)).toEqual(['ada registered_too_late']);
  expect(await world.timers()).toMatchObject([{ rule_id: early }]);

  const dueAt = minutesAfter(world.startsAt, -60);
  const bob = await world.register('bob@example.com');
  const cleo = await world.register('cleo@example.com');
  await world.set('attendees.registration', bob, { registered_at: dueAt });
  await world.set('attendees.registration', cleo, { registered_at: secondsAfter(dueAt, -0.001) });
  await world.fire(dueAt);
  expect(await world.outcomes(early)).toEqual(['ada matched', 'cleo matched']);
});

test('a registration for a session that is not scheduled is session_not_scheduled', async ({ world }) => {
  const ruleId = await world.rule(hourBefore);
  const { recurrences } = scheduleAt(world.webinar.sessionTime);
  const schedule = { recurrences, onDemand: true, justInTime: { intervalMinutes: 15 } };
  expect((await world.call('PATCH ', { schedule })).status).toBe(200);
  const slots: { kind: string; sessionTime: string }[] = await world.get('/session-slots');
  const slot = slots.find(({ kind }) => kind === 'just_in_time')!;
  const planned = await world.timers();
  await world.register('ada@example.com', { sessionTime: undefined });
  await world.register('bob@example.com', { sessionTime: slot.sessionTime });
  expect(await world.timers()).toEqual(planned);
  await world.register('cleo@example.com');
  await world.fire(minutesAfter(world.startsAt, -60));
  expect(await world.outcomes(ruleId)).toEqual([
    'ada session_not_scheduled',
    'bob session_not_scheduled',
    'cleo matched',
  ]);
});

test('a day before is twenty-four hours, also across a change to summer time', async ({ world }) => {
  // New York moves its clocks on the second Sunday in March.
  const march = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1);
  const sunday = 8 + ((7 - new Date(march).getUTCDay()) % 7);
  const startDate = new Date(march + (sunday - 1) * 86_400_000).toISOString().slice(0, 10);
  const schedule = { recurrences: [{ frequency: 'once', startDate, time: '12:00' }] };
  const webinar = { timezone: 'America/New_York', schedule };
  const spring = await createWorld({ beside: world, workspace: world, webinar });
  await spring.rule(nowhere, { trigger: before(24 * 60) });
  await spring.register('ada@example.com', { sessionTime: `${startDate}T12:00:00-04:00` });

  const noonBefore = new Date(`${startDate}T12:00:00-04:00`).getTime() - 86_400_000;
  const [timer] = await world.timers();
  expect(timer!.due_at.getTime()).toBe(noonBefore);
  expect(timer!.due_at.toLocaleTimeString('en-US', { timeZone: 'America/New_York' })).toBe('11:00:00 AM');
});

test('a rolled back transaction leaves no timer, and the next registration makes it', async ({ world }) => {
  const ada = await world.registrant('ada@example.com');
  const ruleId = await world.rule(hourBefore);
  await world.removeTimers();
  const registered = happened(ada, 'registered');
  const failing = world.transaction(async (tx) => {
    await (await world.subscriber.findInterest(tx, world.webinar.id)).onEvents(tx, [registered]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await world.timers()).toEqual([]);
  await world.publish([registered]);
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId }]);
});

test('a known timer needs no statement, unless it may be firing', async ({ world }) => {
  await world.rule(hourBefore);
  const registered = happened(await world.registrant('ada@example.com'), 'registered');
  const soon = (seconds: number) => ({
    ...registered,
    registration: { ...registered.registration, registeredAt: new Date() },
    session: { ...registered.session, startsAt: secondsAfter(minutesAfter(new Date(), 60), seconds) },
  });
  expect(await statementsOf(world, registered)).toEqual([]);
  const [close, far] = [soon(50), soon(300)];
  expect(await statementsOf(world, close)).toHaveLength(1);
  expect(await statementsOf(world, close)).toHaveLength(1);
  expect(await statementsOf(world, far)).toHaveLength(1);
  expect(await statementsOf(world, far)).toEqual([]);
});

test('parallel registrations make one timer', async ({ world }) => {
  const names = ['ada', 'bob', 'cleo', 'dan', 'eve'];
  const people = await Promise.all(names.map((name) => world.registrant(`${name}@example.com`)));
  const ruleId = await world.rule(hourBefore);
  await world.removeTimers();
  const everybody = Promise.withResolvers<void>();
  let published = 0;
  const publish = (registrant: Registrant) =>
    world.transaction(async (tx) => {
      const interest = await world.subscriber.findInterest(tx, world.webinar.id);
      await interest.onEvents(tx, [happened(registrant, 'registered')]);
      published += 1;
      if (published === people.length) everybody.resolve();
      await everybody.promise;
    });
  await Promise.all(people.map(publish));
  expect(await world.timers()).toMatchObject([{ rule_id: ruleId }]);
});

test('a registration that commits after the timer fired still gets the webhook', async ({ world }) => {
  const ruleId = await world.rule(hourBefore);
  const ada = await world.registrant('ada@example.com');
  const startsAt = secondsAfter(minutesAfter(new Date(), 60), 30);
  await world.change('moved', ada.session.id, { starts_at: startsAt });
  const bob = { ...ada.registration, id: createId(), email: 'bob@example.com', registeredAt: new Date() };
  await world.transaction(async (tx) => {
    await tx.em.insert('Registration' as never, { ...bob } as never);
    const interest = await world.subscriber.findInterest(tx, world.webinar.id);
    const session = { ...ada.session, startsAt };
    await interest.onEvents(tx, [happened({ ...ada, session, registration: bob }, 'registered')]);
    expect(await world.fire(minutesAfter(startsAt, -60))).toEqual({ fired: 1 });
  });
  await world.fire(minutesAfter(startsAt, -60));
  expect(await world.outcomes(ruleId)).toEqual(['ada already_fired', 'ada matched', 'bob matched']);
});

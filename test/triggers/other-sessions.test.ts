// Sessions that come with who registers for them: just in time, and on demand.
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Hook, Show } from './show.ts';
import { createTriggerWorld } from './trigger-world.ts';

interface Rules extends Record<string, Hook> {
  before: Hook;
  joined: Hook;
  half: Hook;
  left: Hook;
  absent: Hook;
}

const makeRules = async (show: Show): Promise<Rules> => ({
  before: await show.rule('before_session', { offsetMinutes: 1 }),
  joined: await show.rule('joined'),
  half: await show.rule('watched_percent', { percent: 50 }),
  left: await show.rule('left'),
  absent: await show.rule('no_show'),
});

async function namesSent(show: Show, rules: Rules): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {};
  for (const [rule, hook] of Object.entries(rules))
    names[rule] = (await show.sent(hook)).map(({ body }) => body.attendee.name);
  return names;
}

/** A start that is offered for long enough that two people can register for it. */
async function nextSlot(show: Show): Promise<string> {
  return eventually('a start that is not just going by', async () => {
    const [slot] = (await show.rest('GET ./session-slots')).json.data;
    return Date.parse(slot.startsAt) - Date.now() > 75_000 && slot.startsAt;
  });
}

const notScheduled = ['session_not_scheduled', 'session_not_scheduled'];

test('a just-in-time session is watched together, and who does not come is a no-show', async () => {
  await using world = await createTriggerWorld();
  const schedule = { justInTime: { intervalMinutes: 15, minLeadSeconds: 60 } };
  const show = await world.show({ webinar: { schedule } });
  const rules = await makeRules(show);
  const sessionTime = await nextSlot(show);
  const [ada, bob] = [await show.attend('Ada', { sessionTime }), await show.attend('Bob', { sessionTime })];
  expect(ada.sessionId).toBe(bob.sessionId);
  expect(await show.outcomes(rules.before)).toEqual(notScheduled);

  world.clock.setTo(new Date(Date.parse(sessionTime) + 200_000));
  await world.tick();
  expect((await ada.visit()).json.session).toMatchObject({ status: 'live', positionSeconds: 200 });
  await ada.watch(300);
  world.clock.setTo(new Date(Date.parse(sessionTime) + 20 * 60_000));
  await world.tick();
  const expected = { before: [], joined: ['Ada'], half: ['Ada'], left: ['Ada'], absent: ['Bob'] };
  expect(await namesSent(show, rules)).toEqual(expected);
  expect(await show.outcomes(rules.before)).toEqual(notScheduled);
  const [left] = await show.sent(rules.left);
  expect(left!.body.event_data).toMatchObject({
    reason: 'timeout',
    positionSeconds: 500,
    watchedSeconds: 300,
  });
});

test('on demand each goes at their own pace for a day, and nobody is a no-show', async () => {
  await using world = await createTriggerWorld();
  const show = await world.show({ webinar: { schedule: { onDemand: true } } });
  const rules = await makeRules(show);
  const now = { sessionTime: undefined };
  const [ada, bob] = [await show.attend('Ada', now), await show.attend('Bob', now)];
  expect(await show.outcomes(rules.before)).toEqual(notScheduled);
  await ada.watch(300);
  await ada.leave();
  world.clock.advance(60);
  await world.tick();
  const expected: Record<string, string[]> = {
    before: [],
    joined: ['Ada'],
    half: ['Ada'],
    left: ['Ada'],
    absent: [],
  };
  expect(await namesSent(show, rules)).toEqual(expected);

  // Twelve hours later it is live for who has not come yet, from the beginning; who was there goes on.
  world.clock.advance(12 * 3600);
  expect((await bob.visit()).json.session).toMatchObject({ status: 'live', positionSeconds: 0 });
  expect((await ada.visit()).json.session).toMatchObject({ status: 'live', positionSeconds: 300 });
  await bob.watch(299);
  expect(await namesSent(show, rules)).toEqual({ ...expected, joined: ['Ada', 'Bob'] });
  await bob.watch(1);
  expect((await namesSent(show, rules))['half']).toEqual(['Ada', 'Bob']);

  await show.attend('Never', now);
  world.clock.advance(26 * 3600);
  await world.tick();
  expect(await namesSent(show, rules)).toMatchObject({ left: ['Ada', 'Bob'], absent: [] });
  expect(await show.executions(rules.absent)).toEqual([]);
});

// Sessions that a registration creates: just-in-time and on-demand.
import { expect } from 'vitest';
import type { Hook, TestWebinar } from './test-webinar.ts';
import { test } from './trigger-world.ts';

interface Rules extends Record<string, Hook> {
  before: Hook;
  joined: Hook;
  half: Hook;
  left: Hook;
  absent: Hook;
}

const makeRules = async (webinar: TestWebinar): Promise<Rules> => ({
  before: await webinar.rule('before_session', { offsetMinutes: 1 }),
  joined: await webinar.rule('joined'),
  half: await webinar.rule('watched_percent', { percent: 50 }),
  left: await webinar.rule('left'),
  absent: await webinar.rule('no_show'),
});

async function namesSent(webinar: TestWebinar, rules: Rules): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {};
  for (const [rule, hook] of Object.entries(rules))
    names[rule] = (await webinar.sent(hook)).map(({ body }) => body.attendee.name);
  return names;
}

const notScheduled = ['session_not_scheduled', 'session_not_scheduled'];

test('an on-demand session lasts a day for each attendee, and has no no-shows', async ({ world }) => {
  const webinar = await world.createWebinar({ fields: { schedule: { onDemand: true } } });
  const rules = await makeRules(webinar);
  const now = { sessionTime: undefined };
  const [ada, bob] = [await webinar.attend('Ada', now), await webinar.attend('Bob', now)];
  expect(await webinar.outcomes(rules.before)).toEqual(notScheduled);
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
  expect(await namesSent(webinar, rules)).toEqual(expected);

  // Twelve hours later a new attendee starts from the beginning, and one who was there continues.
  world.clock.advance(12 * 3600);
  expect((await bob.visit()).json.session).toMatchObject({ status: 'live', positionSeconds: 0 });
  expect((await ada.visit()).json.session).toMatchObject({ status: 'live', positionSeconds: 300 });
  await bob.watch(299);
  expect(await namesSent(webinar, rules)).toEqual({ ...expected, joined: ['Ada', 'Bob'] });
  await bob.watch(1);
  expect((await namesSent(webinar, rules))['half']).toEqual(['Ada', 'Bob']);

  await webinar.attend('Never', now);
  world.clock.advance(26 * 3600);
  await world.tick();
  expect(await namesSent(webinar, rules)).toMatchObject({ left: ['Ada', 'Bob'], absent: [] });
  expect(await webinar.executions(rules.absent)).toEqual([]);
});

import { fork } from 'node:child_process';
import { once as happens } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createClockWorld, once, silent } from './clock-world.ts';

const registrants = 20_000;
const start = '2027-04-01T12:00:00.000Z';
const after = '2027-04-01T13:10:00.000Z';

test('after a clock is killed among 20,000 no-shows, another does the rest, each once', async () => {
  await using world = await createClockWorld();
  const before = '2027-04-01T08:00:00Z';
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.register(before, { webinarId, sessionTime: start });
  await world.query(
    `insert into attendees.registration
     select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'email', n || '@example.com'))).*
     from attendees.registration r, generate_series(2, $1::int) n`,
    [registrants],
  );
  const noShows = async () =>
    (
      await world.query(
        `select count(*)::int as rows, count(distinct registration_id)::int as people
         from attendees.attendee_event where type = 'no_show'`,
      )
    )[0];

  const path = fileURLToPath(new URL('no-show-process.ts', import.meta.url));
  const child = fork(path, [world.url, after]);
  const ended = happens(child, 'exit');
  expect(await Promise.race([happens(child, 'message'), ended])).toEqual(['stuck', undefined]);
  child.kill('SIGKILL');
  await ended;
  // Three pages of 2,000 are committed, and the fourth is not.
  expect(await noShows()).toEqual({ rows: 6000, people: 6000 });
  expect(
    (await world.statusesOf('attendees.registration')).filter((status) => status === 'no_show'),
  ).toHaveLength(6000);

  await eventually('another clock to finish', async () => {
    await world.tick(after, { subscriber: silent });
    return (await world.query('select id from webinars.session where no_show_at is not null')).length === 0;
  });
  expect(await noShows()).toEqual({ rows: registrants, people: registrants });
  expect(new Set(await world.statusesOf('attendees.registration'))).toEqual(new Set(['no_show']));
});

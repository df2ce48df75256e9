import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { scheduleAt } from '../support/factories.ts';
import { test } from '../support/service-test.ts';

const inHours = (hours: number): string => {
  const minuteMs = 60_000;
  return new Date(Math.ceil(Date.now() / minuteMs) * minuteMs + hours * 3_600_000).toISOString();
};

test('the sessions around now are those of all webinars of the workspace: live, next and of drafts', async ({
  service,
}) => {
  const [mine, theirs] = [await createTestWorld(service), await createTestWorld(service)];
  const [me, stranger] = [await openDashboard(service, mine), await openDashboard(service, theirs)];
  const make = async (title: string, startsAt: string): Promise<string> => {
    const body = { title, durationSeconds: 3600, schedule: scheduleAt(startsAt) };
    return (await mine.rest('POST /webinars', body)).json.data.id;
  };
  const live = await make('Live', inHours(1));
  await mine.rest(`POST /webinars/${live}/publish`);
  await service.db.database.pool.query(
    `update webinars.session set starts_at = now() - interval '5 minutes', ends_at = now() + interval '55 minutes'
     where webinar_id = $1`,
    [live],
  );
  const soon = await make('Soon', inHours(2));
  await mine.rest(`POST /webinars/${soon}/publish`);
  const near = await make('Near draft', inHours(48));
  await make('Far draft', inHours(24 * 9));

  const nearby = await me.query('sessions.nearby');
  expect(nearby.live).toMatchObject([{ webinarId: live, title: 'Live' }]);
  expect(nearby.upcoming.map(({ title }: { title: string }) => title)).toEqual(['Soon', 'Launch']);
  expect(nearby.drafts).toEqual([{ webinarId: near, title: 'Near draft', startsAt: inHours(48) }]);
  const foreign = await stranger.query('sessions.nearby');
  expect(foreign).toMatchObject({ live: [], drafts: [], upcoming: [{ webinarId: theirs.webinar.id }] });
});

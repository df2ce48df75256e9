import { expect } from 'vitest';
import { register } from '../attendees/registrations.ts';
import { createTestAccount } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';
import { test } from '../support/service-test.ts';

test('the publish check of a draft names what publishing would refuse, and changes nothing', async ({
  service,
  world,
}) => {
  const dashboard = await openDashboard(service, world);
  const check = async (fields: object) => {
    const { id } = (await world.rest('POST /webinars', { title: 'Draft', ...fields })).json.data;
    return { id, problems: await dashboard.query('webinars.publishCheck', { webinarId: id }) };
  };
  const empty = await check({ kind: 'adaptive' });
  expect(empty.problems).toMatchObject([{ path: 'schedule' }, { path: 'segments' }]);
  const refused = await world.rest(`POST /webinars/${empty.id}/publish`);
  expect(empty.problems).toEqual(refused.json.issues);
  const ready = await check({ schedule: { onDemand: true } });
  expect(ready.problems).toEqual([]);
  expect((await world.rest(`GET /webinars/${ready.id}`)).json.data.status).toBe('draft');
});

test('the sessions and registrations that archiving cancels are counted, for their workspace only', async ({
  service,
  world,
}) => {
  await register(world);
  const second = await register(world, { email: 'b@example.com' });
  await world.call(`POST /registrations/${second.json.data.id}/cancel`);
  const dashboard = await openDashboard(service, world);
  const open = () => dashboard.query('sessions.open', { webinarId: world.webinar.id });
  expect(await open()).toEqual({ sessions: 1, registrations: 1 });
  const stranger = await openDashboard(service, await createTestAccount(service));
  for (const procedure of ['sessions.open', 'webinars.publishCheck'])
    await expect(stranger.query(procedure, { webinarId: world.webinar.id })).rejects.toThrow(
      'webinar_not_found',
    );
  await world.call('POST /archive');
  expect(await open()).toEqual({ sessions: 0, registrations: 0 });
});

test('an edit in the dashboard with If-Match is refused with the current record after another edit', async ({
  service,
  world,
}) => {
  const before = await world.call('GET ');
  const version = before.headers.get('etag')!.slice(1).split('.')[0];
  await world.call('PATCH ', { title: 'Theirs' });
  const { send } = await signInMember(service, world);
  const json = { 'Content-Type': 'application/json', Origin: service.baseUrl };
  const answer = await send('webinars.update', {
    method: 'POST',
    headers: { ...json, 'If-Match': `"${version}"` },
    body: JSON.stringify({ webinarId: world.webinar.id, title: 'Mine' }),
  });
  expect(answer.status).toBe(412);
  expect(answer.json.error.data).toMatchObject({ code: 'precondition_failed', data: { title: 'Theirs' } });
});

test('webinars are found by a part of either title, the newest first, without archived ones and those of other workspaces', async ({
  service,
  world,
}) => {
  const create = async (fields: object) => (await world.rest('POST /webinars', fields)).json.data.id;
  const first = await create({ title: 'Spring 100%' });
  const second = await create({ title: 'Internal', publicTitle: 'In spring' });
  const archived = await create({ title: 'Spring of last year', schedule: { onDemand: true } });
  await world.rest(`POST /webinars/${archived}/archive`);
  const find = async (
    person: Pick<typeof world, 'accountId' | 'email' | 'password'>,
    q: string,
    limit = 20,
  ) =>
    (await (await openDashboard(service, person)).query('webinars.find', { q, limit })).map(
      ({ id }: { id: string }) => id,
    );
  expect(await find(world, 'SPRING')).toEqual([second, first]);
  expect(await find(world, 'spring', 1)).toEqual([second]);
  expect(await find(world, '0%')).toEqual([first]);
  expect(await find(await createTestAccount(service), 'spring')).toEqual([]);
});

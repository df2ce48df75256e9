import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestWorld, testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';

test('the publish check of a draft names what publishing would refuse, and changes nothing', async () => {
  await using service = await testApi();
  const { key, ...account } = await createTestWorld(service);
  const dashboard = await openDashboard(service, account);
  const create = async (body: object): Promise<string> =>
    (await callRest(service, 'POST /webinars', { key, body: { title: 'Draft', ...body } })).json.data.id;

  const empty = await create({ kind: 'adaptive' });
  const problems = await dashboard.query('webinars.publishCheck', { webinarId: empty });
  const refused = await callRest(service, `POST /webinars/${empty}/publish`, { key });
  expect(problems).toEqual(refused.json.issues);
  expect(problems.map(({ path }: { path: string }) => path)).toEqual(['schedule', 'segments']);

  const ready = await create({ schedule: { onDemand: true } });
  expect(await dashboard.query('webinars.publishCheck', { webinarId: ready })).toEqual([]);
  expect((await callRest(service, `GET /webinars/${ready}`, { key })).json.data.status).toBe('draft');
});

test('the sessions and registrations that archiving cancels are counted, without those of other workspaces', async () => {
  await using service = await testApi();
  const { key, webinar, ...account } = await createTestWorld(service);
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const at = `/webinars/${webinar.id}/registrations`;
  await callRest(service, `POST ${at}`, { key, body: person });
  const second = await callRest(service, `POST ${at}`, { key, body: { ...person, email: 'b@example.com' } });
  await callRest(service, `POST ${at}/${second.json.data.id}/cancel`, { key });
  const dashboard = await openDashboard(service, account);
  const open = () => dashboard.query('sessions.open', { webinarId: webinar.id });
  expect(await open()).toEqual({ sessions: 1, registrations: 1 });
  await callRest(service, `POST /webinars/${webinar.id}/archive`, { key });
  await expect(open()).rejects.toThrow('webinar_not_found');

  const stranger = await openDashboard(service, await createTestAccount(service));
  for (const procedure of ['sessions.open', 'webinars.publishCheck'])
    await expect(stranger.query(procedure, { webinarId: webinar.id })).rejects.toThrow('webinar_not_found');
});

test('an edit in the dashboard with If-Match is refused with the current record after another edit', async () => {
  await using service = await testApi();
  const { key, webinar, ...account } = await createTestWorld(service);
  const before = await callRest(service, `GET /webinars/${webinar.id}`, { key });
  const version = before.headers.get('etag')!.slice(1).split('.')[0];
  await callRest(service, `PATCH /webinars/${webinar.id}`, { key, body: { title: 'Theirs' } });
  const { send } = await signInMember(service, account);
  const answer = await send('webinars.update', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: service.baseUrl,
      'If-Match': `"${version}"`,
    },
    body: JSON.stringify({ webinarId: webinar.id, title: 'Mine' }),
  });
  expect(answer.status).toBe(412);
  expect(answer.json.error.data).toMatchObject({ code: 'precondition_failed', data: { title: 'Theirs' } });
});

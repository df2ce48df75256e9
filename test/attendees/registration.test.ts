import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWorld,
  testApi,
  inMinutes,
  scheduleAt,
} from '../support/api.ts';
import { countRows, register } from './registrations.ts';

test('fifty concurrent registrations of one person for one session make one registration and one event', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(service, world)));
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
    ...Array(49).fill(200),
    201,
  ]);
  expect(new Set(answers.map((answer) => answer.json.data.id)).size).toBe(1);
  expect(await countRows(service, 'attendees.registration')).toBe(1);
  expect(await countRows(service, 'attendees.attendee_event')).toBe(1);
});

test('a draft refuses registrations, and publishing twice has the effect of once', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const sessionTime = inMinutes(60);
  const { data: webinar } = (
    await callRest(service, 'POST /webinars', {
      key,
      body: { title: 'Draft', schedule: scheduleAt(sessionTime) },
    })
  ).json;
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime };
  const refused = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect([refused.status, refused.json.code]).toEqual([409, 'webinar_not_published']);
  const first = await callRest(service, `POST /webinars/${webinar.id}/publish`, { key });
  const second = await callRest(service, `POST /webinars/${webinar.id}/publish`, { key });
  expect(second.json.data.publishedAt).toBe(first.json.data.publishedAt);
  expect((await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body })).status).toBe(
    201,
  );
});

test('if a subscriber fails, neither the registration nor the event is stored', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  // The database fails the transaction, as a broken subscriber would.
  await service.db.database.pool.query('alter table automations.rule rename column enabled to gone');
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const failed = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect([failed.status, failed.json.message]).toEqual([500, 'Internal server error']);
  expect(failed.text).not.toMatch(/select|column|gone|at /);
  expect(await countRows(service, 'attendees.registration')).toBe(0);
  expect(await countRows(service, 'attendees.attendee_event')).toBe(0);
});

test('all fields of a registration are stored, also utm fields under their URL names', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const said = {
    name: "Zoë “Z” O'Neil \\ ?",
    phone: '+49 30 1234567',
    timezone: 'Europe/Berlin',
    locale: 'de-DE',
    customFields: { company: 'Analytical Engines', 'team_size-2': '' },
    referrer: 'https://example.com/?q=$1',
    metadata: { ' crm id ': ' 0042 ', größe: '' },
  };
  const utm = { source: 'mail', medium: 'cpc', campaign: 'fall', term: 'engine', content: 'b' };
  const { json } = await register(service, world, { ...said, email: '  ADA@Example.com ', utm });
  expect(json.data).toEqual({
    ...said,
    id: expect.any(String),
    webinarId: world.webinar.id,
    sessionId: expect.any(String),
    email: 'ada@example.com',
    utm,
    source: 'api',
    sessionTime: world.webinar.sessionTime,
    status: 'registered',
    joinUrl: expect.stringMatching(`^${service.baseUrl}/room/[\\w-]{70}$`),
    tokenVersion: 1,
    registeredAt: expect.stringMatching(/Z$/),
    cancelledAt: null,
    attendance: null,
    revenue: [],
  });
  const at = `/webinars/${world.webinar.id}/registrations`;
  expect((await callRest(service, `GET ${at}/${json.data.id}`, { key: world.key })).json).toEqual(json);
  const [listed] = (await callRest(service, `GET ${at}`, { key: world.key })).json.data;
  expect(listed).toEqual(json.data);

  const flat = { email: 'flat@example.com', utm_source: 'mail', utm_term: 'engine' };
  const fromForm = await register(service, world, flat);
  expect(fromForm.json.data.utm).toEqual({
    source: 'mail',
    medium: null,
    campaign: null,
    term: 'engine',
    content: null,
  });
});

import { expect } from 'vitest';
import { codeOf, createTestWorld, testApi } from '../support/api.ts';
import { test } from '../support/service-test.ts';
import { createWorld } from '../support/world.ts';
import { countRows, register, registerMany } from './registrations.ts';

test('fifty concurrent registrations of one person for one session make one registration and one event', async ({
  service,
  world,
}) => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(world)));
  const statuses = Map.groupBy(answers, ({ status }) => status);
  expect([statuses.get(201)?.length, statuses.get(200)?.length]).toEqual([1, 49]);
  expect(new Set(answers.map((answer) => answer.json.data.id)).size).toBe(1);
  expect(await countRows(service, world, 'attendees.registration')).toBe(1);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(1);
});

test('a draft refuses registrations, also of a batch, and publishing twice has the effect of once', async ({
  service,
}) => {
  const world = await createWorld({ beside: { service }, publish: false });
  const refused = [409, 'webinar_not_published'];
  expect(codeOf(await register(world))).toEqual(refused);
  expect(codeOf(await registerMany(world, [{ email: 'ada@example.com' }]))).toEqual(refused);
  const { publishedAt } = await world.create('/publish');
  expect((await world.create('/publish'))['publishedAt']).toBe(publishedAt);
  expect((await register(world)).status).toBe(201);
});

test('if a subscriber fails, neither the registration nor the event is stored', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  // The database fails the transaction, as a broken subscriber would.
  await service.db.database.pool.query('alter table automations.rule rename column enabled to gone');
  const failed = await register(world);
  expect([failed.status, failed.json.message]).toEqual([500, 'Internal server error']);
  expect(failed.text).not.toMatch(/select|column|gone|at /);
  expect(await countRows(service, world, 'attendees.registration')).toBe(0);
  expect(await countRows(service, world, 'attendees.attendee_event')).toBe(0);
});

test('all fields of a registration are stored, also utm fields under their URL names', async ({
  service,
  world,
}) => {
  const said = {
    name: "Zoë “Z” O'Neil \\ ?",
    phone: '+49 30 1234567',
    timezone: 'Europe/Berlin',
    locale: 'de-DE',
    customFields: { company: 'Analytical Engines', 'team_size-2': '' },
    referrer: 'https://example.com/?q=$1',
    metadata: { ' crm id ': ' 0042 ', größe: '' },
    consent: { given: true, text: 'I agree.', at: '2026-11-01T10:00:00.000Z' },
  };
  const utm = { source: 'mail', medium: 'cpc', campaign: 'fall', term: 'engine', content: 'b' };
  const { json } = await register(world, { ...said, email: '  ADA@Example.com ', utm });
  expect(json.data).toEqual({
    ...said,
    id: expect.any(String),
    webinarId: world.webinar.id,
    sessionId: expect.any(String),
    email: 'ada@example.com',
    utm,
    source: 'api',
    sessionTime: world.webinar.sessionTime,
    sessionStatus: 'scheduled',
    status: 'registered',
    joinUrl: expect.stringMatching(`^${service.baseUrl}/room/[\\w-]{70}$`),
    tokenVersion: 1,
    registeredAt: expect.stringMatching(/Z$/),
    cancelledAt: null,
    attendance: null,
    revenue: [],
  });
  expect((await world.call(`GET /registrations/${json.data.id}`)).json).toEqual(json);
  expect((await world.call('GET /registrations')).json.data).toEqual([json.data]);

  const flat = { email: 'flat@example.com', utm_source: 'mail', utm_term: 'engine' };
  const given = { source: 'mail', term: 'engine', medium: null, campaign: null, content: null };
  expect((await register(world, flat)).json.data.utm).toEqual(given);
});

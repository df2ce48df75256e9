import { expect, test } from 'vitest';
import { registerMany } from '../attendees/registrations.ts';
import { createTestAccount, createTestWorld, testApi } from '../support/api.ts';
import { signInMember } from '../support/member.ts';

async function openExports() {
  const service = await testApi();
  const world = await createTestWorld(service);
  const { cookie } = await signInMember(service, world);
  const download = (
    list: string,
    input: object = {},
    headers: Record<string, string> = {},
    accountId = world.accountId,
  ) =>
    fetch(
      `${service.baseUrl}/api/export/${list}.csv?workspace=${accountId}&input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { cookie, ...headers } },
    );
  return { service, world, download, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

test('a list as a file has all pages, the filters of the list, and no formula', async () => {
  await using exports = await openExports();
  const { world, download } = exports;
  const rows = Array.from({ length: 130 }, (_, index) => ({
    email: `person${index}@example.com`,
    name: 'Ada',
  }));
  await registerMany(world, [
    ...rows,
    { email: 'evil@example.com', name: '=HYPERLINK("http://evil.example")' },
  ]);
  const filters = { webinarId: world.webinar.id };

  const answer = await download('registrations', filters);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="registrations-[\d-]{10}\.csv"$/,
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  // A spreadsheet reads the file as UTF-8 because of it.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [heading, ...lines] = bytes.subarray(3).toString('utf8').trimEnd().split('\r\n');
  expect(heading).toMatch(/^id,webinar_id,session_id,name,email,.*utm_source,.*attendance_watched_seconds,/);
  expect(lines).toHaveLength(131);
  expect(lines.find((line) => line.includes('evil@example.com'))).toContain(
    `,"'=HYPERLINK(""http://evil.example"")",`,
  );

  const found = await (await download('registrations', { ...filters, q: 'person12' })).text();
  expect(found.trimEnd().split('\r\n').slice(1)).toHaveLength(11);
  expect(await (await download('people', { q: 'evil' })).text()).toContain('evil@example.com');
});

test('a file is refused like its list: to strangers, for another workspace, with a wrong filter, and for an unknown list', async () => {
  await using exports = await openExports();
  const { service, world, download } = exports;
  const other = await createTestAccount(service);
  const statusOf = async (...call: Parameters<typeof download>) => (await download(...call)).status;
  expect(await statusOf('webinars')).toBe(200);
  expect(await statusOf('webinars', {}, { cookie: '' })).toBe(401);
  expect(await statusOf('webinars', {}, {}, other.accountId)).toBe(401);
  expect(await statusOf('webinars', {}, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf('webinars', { status: 'none' })).toBe(422);
  expect(await statusOf('registrations', { webinarId: other.accountId })).toBe(404);
  expect(await statusOf('accounts')).toBe(404);
  const malformed = `${service.baseUrl}/api/export/webinars.csv?workspace=${world.accountId}&input=[`;
  const { cookie } = await signInMember(service, world);
  expect((await fetch(malformed, { headers: { cookie } })).status).toBe(400);
});

test('every list has a file with columns, and none is a secret', async () => {
  await using exports = await openExports();
  const { world, download } = exports;
  const ofWebinar = { webinarId: world.webinar.id };
  const lists = {
    webinars: {},
    people: {},
    endpoints: {},
    deliveries: {},
    suppressions: {},
    keys: {},
    members: {},
    activity: {},
    sessions: ofWebinar,
    registrations: ofWebinar,
    interactions: ofWebinar,
    executions: ofWebinar,
  };
  for (const [list, input] of Object.entries(lists)) {
    const answer = await download(list, input);
    const [heading = ''] = (await answer.text()).split('\r\n');
    expect(answer.status, list).toBe(200);
    expect(heading.split(',').length, list).toBeGreaterThan(3);
    expect(heading, list).not.toMatch(/secret\b|\bkey\b|password/i);
  }
});

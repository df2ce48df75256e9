import { exportedLists } from '@service/api';
import { expect, test } from 'vitest';
import { registerMany } from '../attendees/registrations.ts';
import { createTestAccount, createTestWorld, testApi } from '../support/api.ts';
import { createEverything } from '../support/everything.ts';
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

test('every list has a file with columns, and none is a secret but the join links of registrations', async () => {
  await using exports = await openExports();
  const { service, world, download } = exports;
  const { ids } = await createEverything(service, 'http://127.0.0.1:9/', world);
  const { webinarId, ruleId, connectionId } = ids;
  const inputs: Partial<Record<string, object>> = {
    sessions: { webinarId },
    registrations: { webinarId },
    interactions: { webinarId },
    executions: { webinarId },
    'rule-executions': { webinarId, ruleId },
    sends: { connectionId },
  };
  for (const list of Object.keys(exportedLists)) {
    const answer = await download(list, inputs[list]);
    const [heading = ''] = (await answer.text()).split('\r\n');
    expect(answer.status, list).toBe(200);
    const columns = heading.split(',');
    expect(columns.length, list).toBeGreaterThan(3);
    expect(heading, list).not.toMatch(/secret\b|\bkey\b|password/i);
    // Members send join links to their people with a tool of their own.
    expect(columns.includes('join_url'), list).toBe(list === 'registrations');
  }
});

import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, createTestWorld, testApi } from '../support/api.ts';

const count = async (service: Awaited<ReturnType<typeof testApi>>, table: string): Promise<number> =>
  (await service.db.database.pool.query(`select count(*)::int as rows from ${table}`)).rows[0].rows;

test('the same person registering for the same session twenty times at once is one registration and one event', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body }),
    ),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
    ...Array(19).fill(200),
    201,
  ]);
  expect(new Set(answers.map((answer) => answer.json.data.id)).size).toBe(1);
  expect(await count(service, 'webinars.registration')).toBe(1);
  expect(await count(service, 'webinars.attendee_event')).toBe(1);
});

test('a draft takes no registrations, and publishing it twice is publishing it once', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { data: webinar } = (
    await callRest(service, 'POST /webinars', { key, body: { title: 'Draft', startsAt } })
  ).json;
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.nextSession.startsAt };
  const refused = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect([refused.status, refused.json.code]).toEqual([409, 'webinar_not_published']);
  const first = await callRest(service, `POST /webinars/${webinar.id}/publish`, { key });
  const second = await callRest(service, `POST /webinars/${webinar.id}/publish`, { key });
  expect(second.json.data.publishedAt).toBe(first.json.data.publishedAt);
  expect((await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body })).status).toBe(
    201,
  );
});

test('when what follows an event fails, neither registration nor event is there', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  // What a broken follower would do to the transaction, done by the database itself.
  await service.db.database.pool.query('alter table automations.rule rename column enabled to gone');
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const failed = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect([failed.status, failed.json.message]).toEqual([500, 'Internal server error']);
  expect(failed.text).not.toMatch(/select|column|gone|at /);
  expect(await count(service, 'webinars.registration')).toBe(0);
  expect(await count(service, 'webinars.attendee_event')).toBe(0);
});

test('pages of registrations follow each other without gap or repeat', async () => {
  await using service = await testApi();
  const { key, webinar } = await createTestWorld(service);
  for (let number = 0; number < 7; number += 1) {
    const body = {
      name: `Guest ${number}`,
      email: `guest${number}@example.com`,
      sessionTime: webinar.sessionTime,
    };
    await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  }
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = cursor === '' ? 'limit=3' : `limit=3&cursor=${cursor}`;
    const page = await callRest(service, `GET /webinars/${webinar.id}/registrations?${query}`, { key });
    names.push(...page.json.data.map((registration: { name: string }) => registration.name));
    cursor = page.json.pagination.nextCursor;
    expect(page.json.pagination.hasMore).toBe(cursor !== null);
  }
  expect(names).toEqual(['Guest 6', 'Guest 5', 'Guest 4', 'Guest 3', 'Guest 2', 'Guest 1', 'Guest 0']);
});

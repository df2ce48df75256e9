import { expect, test } from 'vitest';
import { startApiProcess } from '../support/api-process.ts';
import { createTestAccount, testApi, type TestAccount } from '../support/api.ts';

const dayMs = 86_400_000;

interface Service {
  baseUrl: string;
}

async function signIn({ baseUrl }: Service, { email, password }: TestAccount): Promise<string> {
  const answer = await post({ baseUrl }, '/api/auth/sign-in/email', { email, password });
  expect(answer.status).toBe(200);
  return answer.headers.getSetCookie()[0]!.split(';')[0]!;
}

const post = ({ baseUrl }: Service, path: string, body: object, cookie = ''): Promise<Response> =>
  fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: baseUrl, cookie },
    body: JSON.stringify(body),
  });

async function emailOf({ baseUrl }: Service, cookie: string): Promise<string | undefined> {
  const answer = await fetch(`${baseUrl}/api/session`, { headers: { cookie } });
  expect(answer.headers.getSetCookie()).toEqual([]);
  return ((await answer.json()) as { user: { email: string } | null }).user?.email;
}

test('a process whose clock is eight days ahead ends no session', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  const cookie = await signIn(service, account);
  await using ahead = await startApiProcess(service.db.url, { clockAheadMs: 8 * dayMs });
  expect(await emailOf(ahead, cookie)).toBe(account.email);
  // Here better-auth reads the session itself.
  await post(ahead, '/api/auth/organization/accept-invitation', { invitationId: 'none' }, cookie);
  expect(await emailOf(service, cookie)).toBe(account.email);
  expect(await emailOf(ahead, cookie)).toBe(account.email);
  expect((await post(ahead, '/api/auth/sign-out', {}, cookie)).status).toBe(200);
  const { rows } = await service.db.database.pool.query('select 1 from accounts.session');
  expect(rows).toEqual([]);
});

test.each([-8, 8])('a session that a process %i days off has started lasts for seven days', async (days) => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  await using wrong = await startApiProcess(service.db.url, { clockAheadMs: days * dayMs });
  const cookie = await signIn(wrong, account);
  expect(await emailOf(service, cookie)).toBe(account.email);
  const { rows } = await service.db.database.pool.query(
    `select round(extract(epoch from "expiresAt" - now()) / 86400)::int as days from accounts.session`,
  );
  expect(rows).toEqual([{ days: 7 }]);
});

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

test.each([-8, 8])(
  'a process %i days off ends no session, and a session that it starts lasts for seven days',
  async (days) => {
    await using service = await testApi();
    const account = await createTestAccount(service);
    const sessions = async () => {
      const { rows } = await service.db.database.pool.query(
        `select round(extract(epoch from "expiresAt" - now()) / 86400)::int as days from accounts.session`,
      );
      return rows;
    };
    const cookie = await signIn(service, account);
    await using wrong = await startApiProcess(service.db.url, { clockAheadMs: days * dayMs });
    expect(await emailOf(wrong, cookie)).toBe(account.email);
    // Here better-auth reads the session itself.
    await post(wrong, '/api/auth/organization/accept-invitation', { invitationId: 'none' }, cookie);
    expect(await emailOf(service, cookie)).toBe(account.email);
    expect(await emailOf(wrong, cookie)).toBe(account.email);
    expect((await post(wrong, '/api/auth/sign-out', {}, cookie)).status).toBe(200);
    expect(await sessions()).toEqual([]);

    expect(await emailOf(service, await signIn(wrong, account))).toBe(account.email);
    expect(await sessions()).toEqual([{ days: 7 }]);
  },
);

import { expect, test } from 'vitest';
import { password, startAccounts } from './accounts-server.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

test('text that Postgres cannot store is refused on every sign-in route, and nothing fails', async () => {
  await using server = await startAccounts({ signInLimit: { windowSeconds: 60, max: 1000 } });
  const browser = server.browser();
  await browser.signUp(ada);
  for (const hostile of ['\0', 'a\0b@example.com', '\uD800', 7, null, ['x'], { $ne: 1 }])
    for (const [path, body] of [
      ['/sign-in/email', { email: hostile, password }],
      ['/sign-in/email', { email: ada.email, password: hostile }],
      ['/sign-in/email', { email: ada.email, password, callbackURL: hostile }],
      ['/sign-up/email', { ...ada, password, email: hostile }],
      ['/sign-up/email', { email: 'new@example.com', password, name: hostile }],
      ['/sign-up/email', { ...ada, email: 'other@example.com', password, workspaceName: hostile }],
      ['/change-password', { currentPassword: hostile, newPassword: hostile }],
      ['/organization/accept-invitation', { invitationId: hostile }],
    ] as const) {
      const { status } = await browser.post(`/api/auth${path}`, body);
      expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500);
    }
  for (const id of ['%00', '%ff', '%ED%A0%80', '', 'x'.repeat(10_000)])
    expect((await browser.get(`/api/auth/invitation?id=${id}`)).status).toBeLessThan(500);
  expect(server.failures).toEqual([]);
});

test('a body that is not a JSON object is refused', async () => {
  await using server = await startAccounts();
  for (const body of ['{', 'null', '[]', '"text"', '1']) {
    const answer = await fetch(`${server.baseUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: 'malformed_json', message: 'The body is not valid JSON.' },
    ]);
  }
});

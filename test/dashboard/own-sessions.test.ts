import { expect, test } from 'vitest';
import { Browser } from '../accounts/accounts-server.ts';
import { createTestAccount, createTestMember, testApi } from '../support/api.ts';
import { codeOf } from '../support/authenticator.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';

test('a person sees their own sign-in sessions, ends one of them and all others, and no session of somebody else', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const [first, second, third] = [
    await openDashboard(service, owner),
    await openDashboard(service, owner),
    await openDashboard(service, owner),
  ];
  const max = await openDashboard(service, await createTestMember(service, owner.accountId));
  const listed = await first.query('accounts.ownSessions.list');
  expect(listed).toHaveLength(3);
  expect(listed[0]).toMatchObject({ isCurrent: true, createdAt: expect.stringMatching(/Z$/) });
  expect(JSON.stringify(listed)).not.toMatch(/token/i);

  const [{ id: sessionId }] = await second.query('accounts.ownSessions.list');
  expect(await refusalOf(max.mutate('accounts.ownSessions.end', { sessionId }))).toBe(
    'sign_in_session_not_found',
  );
  await first.mutate('accounts.ownSessions.end', { sessionId });
  expect(await refusalOf(second.query('accounts.ownSessions.list'))).toBe('sign_in_required');
  expect(await first.mutate('accounts.ownSessions.endOthers', {})).toEqual({ ended: 1 });
  expect(await refusalOf(third.query('accounts.ownSessions.list'))).toBe('sign_in_required');
  expect(await first.query('accounts.ownSessions.list')).toHaveLength(1);
  expect(await max.query('accounts.ownSessions.list')).toHaveLength(1);
});

test('a browser that is not asked for a code is asked again after the person has ended their other sessions', async () => {
  await using service = await testApi();
  const { accountId, email, password } = await createTestAccount(service);
  const [mine, other] = [new Browser(service.baseUrl), new Browser(service.baseUrl)];
  await mine.signIn(email, password);
  const { body } = await mine.post('/api/auth/two-factor/enable', { password });
  const key = new URL((body as unknown as { totpURI: string }).totpURI).searchParams.get('secret')!;
  await mine.post('/api/auth/two-factor/verify-totp', { code: codeOf(key) });
  await other.signIn(email, password);
  await other.post('/api/auth/two-factor/verify-totp', { code: codeOf(key), trustDevice: true });
  expect((await other.signIn(email, password)).body).not.toHaveProperty('twoFactorRedirect');
  await mine.post('/trpc/accounts.ownSessions.endOthers', {}, { 'x-workspace': accountId });
  expect((await other.signIn(email, password)).body).toMatchObject({ twoFactorRedirect: true });
});

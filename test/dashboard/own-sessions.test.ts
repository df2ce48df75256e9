import { expect, test } from 'vitest';
import { createTestAccount, createTestMember, testApi } from '../support/api.ts';
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

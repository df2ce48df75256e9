import { expect, test } from 'vitest';
import { password, startAccounts } from './accounts-server.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const newPassword = 'another horse battery';

test('a changed password ends the other sessions on every process, whatever the body says', async () => {
  await using first = await startAccounts();
  await using second = await startAccounts({}, first);
  for (const [round, said] of [{ revokeOtherSessions: false }, {}].entries()) {
    const person = { ...ada, email: `ada-${round}@example.com` };
    const mine = first.browser();
    await mine.signUp(person);
    const workspaceId = (await mine.get('/api/session')).body.workspaces[0]!.id;
    const other = second.browser();
    await other.signIn(person.email);
    expect(await second.accounts.authenticateMember(other.headers, workspaceId)).not.toBeNull();

    const former = mine.headers;
    const change = { currentPassword: password, newPassword, ...said };
    expect((await mine.post('/api/auth/change-password', change)).status).toBe(200);
    for (const { accounts } of [first, second]) {
      expect(await accounts.authenticateMember(other.headers, workspaceId)).toBeNull();
      expect(await accounts.authenticateMember(former, workspaceId)).toBeNull();
      expect(await accounts.authenticateMember(mine.headers, workspaceId)).not.toBeNull();
    }
    expect((await other.get('/api/session')).body.user).toBeNull();
    expect((await second.browser().signIn(person.email)).status).toBe(401);
    expect((await second.browser().signIn(person.email, newPassword)).status).toBe(200);
  }
});

test('a refused change of the password ends no session', async () => {
  await using server = await startAccounts();
  const [mine, other] = [server.browser(), server.browser()];
  await mine.signUp(ada);
  await other.signIn(ada.email);
  const change = { currentPassword: 'not the password', newPassword };
  expect((await mine.post('/api/auth/change-password', change)).status).toBe(400);
  for (const browser of [mine, other])
    expect(await server.accounts.signedInUser(browser.headers)).toMatchObject(ada);
});

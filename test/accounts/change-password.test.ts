import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';
import { password, startAccounts } from './accounts-server.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };
const newPassword = 'another horse battery';

test('a changed password ends all other sign-in sessions on every process, even when the body asks to keep them', async () => {
  await using first = await startAccounts();
  await using second = await startAccounts({}, first);
  for (const [round, said] of [{ revokeOtherSessions: false }, {}].entries()) {
    const person = { ...ada, email: `ada-${round}@example.com` };
    const mine = first.browser();
    await mine.signUp(person);
    const workspaceId = (await mine.get('/api/session')).body.workspaces[0]!.id;
    const other = second.browser();
    await other.signIn(person.email);
    expect((await second.accounts.admitMember(other.headers, workspaceId)).principal).not.toBeNull();

    const former = mine.headers;
    const change = { currentPassword: password, newPassword, ...said };
    expect((await mine.post('/api/auth/change-password', change)).status).toBe(200);
    for (const { accounts } of [first, second]) {
      expect((await accounts.admitMember(other.headers, workspaceId)).principal).toBeNull();
      expect((await accounts.admitMember(former, workspaceId)).principal).toBeNull();
      expect((await accounts.admitMember(mine.headers, workspaceId)).principal).not.toBeNull();
    }
    expect((await other.get('/api/session')).body.user).toBeNull();
    expect((await second.browser().signIn(person.email)).status).toBe(401);
    expect((await second.browser().signIn(person.email, newPassword)).status).toBe(200);
  }
});

test('a sign-in that checked the old password before the change gets no session after it', async () => {
  await using server = await startAccounts();
  const { pool } = server.database;
  await server.browser().signUp(ada);
  const changing = await pool.connect();
  try {
    // The sign-in has checked the password when it waits to write its session; then the password changes.
    await changing.query('begin; lock table accounts.session in share mode');
    const late = server.browser();
    const signingIn = late.signIn(ada.email);
    await eventually(
      'the sign-in to wait for the lock',
      async () => (await countWaiting(pool, '%insert into "session"%')) === 1,
    );
    await changing.query(`update accounts.account set password = 'the hash of another password'`);
    await changing.query('delete from accounts.session');
    await changing.query('commit');
    expect((await signingIn).status).toBe(401);
    expect(late.cookies.size).toBe(0);
    expect((await pool.query('select from accounts.session')).rowCount).toBe(0);
  } finally {
    changing.release(true);
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

import { createAccounts } from '@service/accounts';
import { expect, test } from 'vitest';
import { Browser, password, secret, startAccounts } from './accounts-server.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

test('signing up makes the user, a workspace named after them and their ownership, and signs them in', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  expect((await browser.signUp(ada)).status).toBe(200);

  const session = await browser.get('/api/session');
  expect(session.body).toEqual({
    user: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...ada,
      isEmailVerified: false,
      hasTwoFactor: false,
    },
    workspaces: [
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Ada Lovelace’s workspace',
        slug: expect.stringMatching(/^ada-lovelaces-workspace-[0-9a-f]{8}$/),
        role: 'owner',
        timeZone: 'UTC',
      },
    ],
    signUp: 'open',
    mail: null,
  });
  const [workspace] = session.body.workspaces;
  expect(await server.accounts.admitMember(browser.headers, workspace!.id)).toMatchObject({
    principal: {
      kind: 'member',
      accountId: workspace!.id,
      userId: session.body.user!.id,
      name: 'Ada Lovelace',
      role: 'owner',
    },
    now: expect.any(Date),
    isSuspended: false,
  });
  expect(server.failures).toEqual([]);
});

test('a sign-up names its workspace; an unreadable name is refused and leaves no user behind', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  for (const refused of [
    { workspaceName: '  ' },
    { workspaceName: 7 },
    { workspaceName: 'x'.repeat(101) },
    { name: ' ' },
  ]) {
    const answer = await browser.post('/api/auth/sign-up/email', { ...ada, password, ...refused });
    expect(answer.status).toBe(422);
  }
  const users = await server.database.pool.query('select 1 from accounts."user"');
  expect(users.rowCount).toBe(0);

  await browser.signUp({ ...ada, workspaceName: ' Engines ' });
  expect((await browser.get('/api/session')).body.workspaces).toMatchObject([
    { name: 'Engines', role: 'owner' },
  ]);
});

test('an e-mail address signs up once, in upper or lower case', async () => {
  await using server = await startAccounts();
  await server.browser().signUp(ada);
  const again = await server.browser().signUp({ ...ada, email: 'ADA@Example.com' });
  expect(again.status).toBe(422);
  expect((await server.browser().signIn('Ada@Example.com')).status).toBe(200);
});

test('a password shorter than 8 or longer than 128 characters is refused', async () => {
  await using server = await startAccounts();
  for (const refused of ['seven77', 'x'.repeat(129)]) {
    const answer = await server.browser().post('/api/auth/sign-up/email', { ...ada, password: refused });
    expect(answer.status).toBe(400);
  }
});

test('signing out ends the session on every process, also for a kept cookie', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  await browser.signUp(ada);
  const kept = browser.headers;
  const workspaceId = (await browser.get('/api/session')).body.workspaces[0]!.id;
  const other = await createAccounts({ databaseUrl: server.url, baseUrl: server.baseUrl, secret });
  try {
    expect((await other.admitMember(kept, workspaceId)).principal).not.toBeNull();
    expect((await browser.post('/api/auth/sign-out', {})).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    for (const accounts of [server.accounts, other]) {
      expect((await accounts.admitMember(kept, workspaceId)).principal).toBeNull();
      expect(await accounts.signedInUser(kept)).toBeNull();
    }
    expect((await browser.get('/api/session')).body).toEqual({
      user: null,
      workspaces: [],
      signUp: 'open',
      mail: null,
    });
  } finally {
    await other.close();
  }
});

test('an expired session is not signed in', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  await browser.signUp(ada);
  const workspaceId = (await browser.get('/api/session')).body.workspaces[0]!.id;
  await server.database.pool.query(`update accounts.session set "expiresAt" = now() - interval '1 second'`);
  expect((await server.accounts.admitMember(browser.headers, workspaceId)).principal).toBeNull();
  expect((await browser.get('/api/session')).body.user).toBeNull();
});

test('reading a session older than a day prolongs it and its cookie', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  await browser.signUp(ada);
  expect((await browser.get('/api/session')).setCookies).toEqual([]);
  await server.database.pool.query(`update accounts.session set "expiresAt" = now() + interval '5 days'`);
  expect((await browser.get('/api/session')).setCookies).toEqual([expect.stringContaining('Max-Age=604800')]);
  const { rows } = await server.database.pool.query(
    `select "expiresAt" > now() + interval '6 days' as prolonged from accounts.session`,
  );
  expect(rows).toEqual([{ prolonged: true }]);
});

test('cookies are HttpOnly and SameSite=Lax, and Secure when the service is at https', async () => {
  await using server = await startAccounts();
  const [cookie] = (await server.browser().signUp(ada)).setCookies;
  expect(cookie).toMatch(/^service\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);

  await using secure = await startAccounts({ baseUrl: 'https://webinars.example.com' });
  const browser = secure.browser();
  const answer = await browser.post(
    '/api/auth/sign-up/email',
    { ...ada, password },
    { origin: 'https://webinars.example.com' },
  );
  expect(answer.setCookies[0]).toMatch(
    /^__Secure-service\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(await secure.accounts.signedInUser(browser.headers)).toMatchObject(ada);
});

test('passwords are stored as slow hashes only', async () => {
  await using server = await startAccounts();
  await server.browser().signUp(ada);
  const { rows } = await server.database.pool.query('select * from accounts.account');
  expect(rows[0].password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(JSON.stringify(rows)).not.toContain(password);
});

test('a page of another origin can sign neither in nor out', async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  await browser.signUp(ada);
  const foreign = { origin: 'https://evil.example' };
  expect((await browser.post('/api/auth/sign-out', {}, foreign)).status).toBe(403);
  expect((await new Browser(server.baseUrl).post('/api/auth/sign-in/email', {}, foreign)).status).toBe(403);
  expect((await browser.post('/api/auth/sign-out', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  expect(await server.accounts.signedInUser(browser.headers)).not.toBeNull();
});

test('the environment cannot add an origin or replace the secret', async () => {
  const foreign = 'https://evil.example';
  Object.assign(process.env, {
    BETTER_AUTH_TRUSTED_ORIGINS: foreign,
    BETTER_AUTH_SECRETS: `2:${'y'.repeat(40)}`,
  });
  try {
    await using server = await startAccounts();
    const browser = server.browser();
    await browser.signUp(ada);
    expect((await browser.post('/api/auth/sign-out', {}, { origin: foreign })).body.code).toBe(
      'foreign_origin',
    );
    expect(await server.accounts.signedInUser(browser.headers)).toMatchObject(ada);
  } finally {
    delete process.env.BETTER_AUTH_TRUSTED_ORIGINS;
    delete process.env.BETTER_AUTH_SECRETS;
  }
});

test("better-auth's other routes do not exist, and bodies are bounded", async () => {
  await using server = await startAccounts();
  const browser = server.browser();
  await browser.signUp(ada);
  for (const path of [
    '/organization/create',
    '/organization/delete',
    '/organization/update-member-role',
    '/organization/leave',
    '/sign-out/',
    '//sign-out',
    '/delete-user',
    '/verify-email',
  ]) {
    expect((await browser.post(`/api/auth${path}`, {})).status, path).toBe(404);
  }
  for (const path of [
    '/list-sessions',
    '/get-session',
    '/organization/list-user-invitations',
    '/ok',
    '/error',
  ]) {
    expect((await browser.get(`/api/auth${path}`)).status, path).toBe(404);
  }
  const large = await browser.post('/api/auth/sign-in/email', { email: 'x'.repeat(20_000), password });
  expect(large.status).toBe(413);
  expect((await browser.get('//evil.example/api/auth/sign-out')).status).toBe(404);
});

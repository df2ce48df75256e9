import { deleteEndedSignInAttempts } from '@service/accounts';
import { expect, test } from 'vitest';
import {
  addressHeader,
  password,
  startAccounts,
  type AccountsServer,
  type ServerOptions,
} from './accounts-server.ts';

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' };

/** As behind a trusted proxy: every browser of a test has an address of its own. */
const limited: ServerOptions = {
  // Long windows, so that a slow machine does not let one end in the middle of a test.
  signInLimit: { windowSeconds: 600, max: 10, accountPauseSeconds: 600 },
  clientAddress: (req) => String(req.headers[addressHeader]),
};

/** Lets the windows end, instead of waiting for it. */
const endWindows = ({ database }: AccountsServer) =>
  database.pool.query(`update accounts.sign_in_attempt set ends_at = now()`);

/** Guesses from as many addresses, one guess each; returns how often each status came. */
async function guess(servers: AccountsServer[], email: string, addresses: number) {
  const answers = await Promise.all(
    Array.from({ length: addresses }, (_, index) =>
      servers[index % servers.length]!.browser(`203.0.113.${index}`).signIn(email, 'a wrong password'),
    ),
  );
  return Object.groupBy(answers, ({ status }) => String(status));
}

test('two processes share the limit of an address: ten of many attempts at once, then 429 with Retry-After', async () => {
  await using first = await startAccounts(limited);
  await using second = await startAccounts(limited, first);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? first : second).browser('198.51.100.1').signIn(`person-${index}@example.com`),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.filter(({ status }) => status === 401).length, refused.length]).toEqual([10, 30]);
  for (const { body, headers } of refused) {
    expect(body.code).toBe('too_many_attempts');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(600);
  }
  expect((await second.browser('198.51.100.2').signIn('person@example.com')).status).toBe(401);
  await endWindows(first);
  expect((await first.browser('198.51.100.1').signIn('other@example.com')).status).toBe(401);
});

test('addresses of one IPv6 network share a limit', async () => {
  await using server = await startAccounts(limited);
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 11; attempt += 1)
    statuses.push((await server.browser(`2001:db8::${attempt}`).signIn(`p${attempt}@example.com`)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await server.browser('2001:db8:0:1::1').signIn('p@example.com')).status).toBe(401);
});

test('many addresses get one guess per pause at an account, over all processes', async () => {
  await using first = await startAccounts(limited);
  await using second = await startAccounts(limited, first);
  await first.browser('198.51.100.1').signUp(ada);
  for (let round = 0; round < 2; round += 1) {
    const { 401: wrong, 429: refused } = await guess([first, second], ada.email, 50);
    expect([wrong?.length, refused?.length]).toEqual([1, 49]);
    await endWindows(first);
  }
});

test('the pause of an account is five seconds unless another one is asked for', async () => {
  await using server = await startAccounts({
    ...limited,
    signInLimit: { windowSeconds: 600, max: 10 },
  });
  await guess([server], ada.email, 1);
  // The pause may be over on a slow machine, so it is prolonged; a caller is never asked to wait longer than one pause.
  await server.database.pool.query(`update accounts.sign_in_attempt set ends_at = now() + interval '1 hour'`);
  const refused = await server.browser('198.51.100.1').signIn(ada.email);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
});

test('during an attack the owner signs in from an address that was used before, as often as usual', async () => {
  await using first = await startAccounts(limited);
  await using second = await startAccounts(limited, first);
  await first.browser('198.51.100.1').signUp(ada);
  await guess([first], ada.email, 20);
  for (const server of [first, second, first])
    expect((await server.browser('198.51.100.1').signIn(ada.email)).status).toBe(200);
  const elsewhere = second.browser('198.51.100.2');
  expect((await elsewhere.signIn('ADA@example.com')).status).toBe(429);
  await endWindows(first);
  expect((await elsewhere.signIn(ada.email)).status).toBe(200);
  await guess([second], ada.email, 20);
  expect((await first.browser('198.51.100.2').signIn(ada.email)).status).toBe(200);
});

test('an address that signed in to another account is not known to this one', async () => {
  await using server = await startAccounts(limited);
  await server.browser('198.51.100.1').signUp(ada);
  await server.browser('203.0.113.1').signUp({ name: 'Mallory', email: 'mallory@example.com' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1)
    statuses.push((await server.browser('203.0.113.1').signIn(ada.email, 'a wrong password')).status);
  expect(statuses).toEqual([401, 429, 429]);
});

test('an e-mail without an account is answered like one with an account, at every step', async () => {
  await using server = await startAccounts(limited);
  await server.browser('198.51.100.1').signUp(ada);
  const sequenceOf = async (email: string, network: string) => {
    const answers: unknown[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      if (attempt === 6) await endWindows(server);
      // The last six attempts come from one address, so that its own limit is met too.
      const address = `${network}.${Math.min(attempt, 6)}`;
      const { status, body, headers } = await server.browser(address).signIn(email, 'a wrong password');
      expect(headers.has('set-cookie')).toBe(false);
      const names = [...headers.keys()].toSorted();
      answers.push({ status, body, names });
    }
    return answers;
  };
  const known = await sequenceOf(ada.email, '203.0.113');
  await endWindows(server);
  const unknown = await sequenceOf('unknown@example.com', '192.0.2');
  expect(unknown).toEqual(known);
  expect(known).toContainEqual(expect.objectContaining({ status: 401 }));
  expect(known).toContainEqual(expect.objectContaining({ status: 429 }));
});

test('twenty addresses of a user are remembered, as hashes, and the oldest one is forgotten', async () => {
  await using server = await startAccounts({
    ...limited,
    signInLimit: { windowSeconds: 600, max: 1000, accountPauseSeconds: 600 },
  });
  await server.browser('198.51.100.0').signUp(ada);
  for (let index = 1; index <= 20; index += 1) {
    await endWindows(server);
    expect((await server.browser(`198.51.100.${index}`).signIn(ada.email)).status).toBe(200);
  }
  const { rows } = await server.database.pool.query('select * from accounts.known_address');
  expect(rows).toHaveLength(20);
  expect(JSON.stringify(rows)).not.toContain('198.51');
  await guess([server], ada.email, 2);
  expect((await server.browser('198.51.100.0').signIn(ada.email)).status).toBe(429);
  expect((await server.browser('198.51.100.1').signIn(ada.email)).status).toBe(200);
  expect(server.failures).toEqual([]);
});

test('guesses at the current password of a stolen session count like guesses at the sign-in', async () => {
  await using server = await startAccounts(limited);
  const owner = server.browser('198.51.100.1');
  await owner.signUp(ada);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const thief = server.browser(`203.0.113.${attempt}`);
    thief.cookies = new Map(owner.cookies);
    const guessed = { currentPassword: `wrong password ${attempt}`, newPassword: 'another password' };
    statuses.push((await thief.post('/api/auth/change-password', guessed)).status);
  }
  expect(statuses).toEqual([400, 429, 429]);
  const change = { currentPassword: password, newPassword: 'another password' };
  expect((await owner.post('/api/auth/change-password', change)).status).toBe(200);
});

test('windows that have ended are deleted; open ones stay', async () => {
  await using server = await startAccounts(limited);
  await server.browser('198.51.100.1').signIn('first@example.com');
  await endWindows(server);
  await server.browser('198.51.100.2').signIn('second@example.com');
  expect(await deleteEndedSignInAttempts(server.database)).toBe(2);
  expect(await deleteEndedSignInAttempts(server.database)).toBe(0);
  const { rows } = await server.database.pool.query('select from accounts.sign_in_attempt');
  expect(rows).toHaveLength(2);
});

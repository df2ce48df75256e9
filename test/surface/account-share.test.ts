// Each account pays for the time that the thread works for it, on every surface, and waits when it has used more than its share.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from '../support/mcp.ts';
import { signInMember } from '../support/member.ts';
import { openShop } from '../support/shop.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let calls: Record<string, () => Promise<{ status: number }>>;
beforeAll(async () => {
  world = await createWorld({ connections: { waitMaxMs: 30_000, threadScarceFrom: 0 } });
  const member = await signInMember(world.service, world);
  const attendee = await world.attend();
  world.startSession();
  await attendee.visit();
  const shop = await openShop(world.service, world);
  let written = 0;
  calls = {
    'a read over REST': () => world.rest('GET /webinars'),
    'a write over REST': () => world.call('PATCH ', { title: `Launch ${(written += 1)}` }),
    'a tool of an assistant': () => callTool(world.service, world.key, 'list_webinars'),
    'a read of the dashboard': () => member.call('webinars.list'),
    'a heartbeat of an attendee': () => attendee.beat(),
    'a purchase': () => shop.report(),
  };
});
afterAll(() => world[Symbol.asyncDispose]());

const database = () => world.service.api.service.database;
const waiting = () => database().callUsage().waiting + database().usage().transactions.waiting;

test('the account of a call pays for it on every surface, and other accounts do not', async () => {
  const other = await world.neighbour();
  for (const [what, call] of Object.entries(calls)) {
    const beganAtMs = performance.now();
    const before = database().recentUse(world.accountId).threadMs;
    const ofOther = database().recentUse(other.accountId).threadMs;
    expect((await call()).status, what).toBeLessThan(300);
    const after = database().recentUse(world.accountId).threadMs;
    // Earlier use fades: after 5 s a third of it is left.
    expect(after, what).toBeGreaterThan(before * Math.exp((beganAtMs - performance.now()) / 5000));
    expect(database().recentUse(other.accountId).threadMs, what).toBeLessThanOrEqual(ofOther);
  }
});

test('an account beyond its share waits on every surface, and other accounts do not', async () => {
  const other = await world.neighbour();
  for (const [what, call] of Object.entries(calls)) {
    expect((await other.rest('GET /me')).status).toBe(200);
    // Its call may have been too short to count.
    database().ofAccount(other.accountId).charge(5);
    database().ofAccount(world.accountId).charge(200);
    const answer = call();
    await eventually(`${what} waits`, () => waiting() === 1);
    expect((await other.rest('GET /webinars')).status, what).toBe(200);
    expect((await answer).status, what).toBeLessThan(300);
  }
});

test('an account pays for its long statements, also in a transaction, and not for short ones', async () => {
  const { accountId } = await world.neighbour();
  const account = database().ofAccount(accountId);
  const usedMs = () => database().recentUse(accountId).statementMs;
  // On a busy machine a short statement may take long.
  await eventually('a short statement is free', async () => {
    const [before, beganAtMs] = [usedMs(), performance.now()];
    await account.query({ text: 'select 1' }, []);
    return performance.now() - beganAtMs < 20 && usedMs() <= before;
  });
  const beforeRead = usedMs();
  await account.query({ text: 'select pg_sleep(0.05)' }, []);
  const afterRead = usedMs();
  expect(afterRead).toBeGreaterThan(beforeRead + 40);
  await account.transaction((tx) => tx.query({ text: 'select pg_sleep(0.05)' }, []));
  expect(usedMs()).toBeGreaterThan(afterRead + 40);
});

test('a kept answer ends its call, also when it was kept while the call ran', async () => {
  const options = { key: world.key, headers: { 'Idempotency-Key': 'once' }, body: { title: 'Once' } };
  const again = () => callRest(world.service, `PATCH /webinars/${world.webinar.id}`, options);
  const answers = await Promise.all(Array.from({ length: 12 }, again));
  expect(answers.map(({ status }) => status)).toContain(200);
  expect((await again()).headers.get('idempotent-replayed')).toBe('true');
  expect(database().callUsage()).toEqual({ used: 0, waiting: 0 });
});

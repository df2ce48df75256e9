// Workers and lanes: limits, leases, and lost or stopped workers.
import { databaseTime } from '@service/database';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { contactOf, createContactsWorld, createGatedWorld } from './contacts-world.ts';

test('a limit of the tool has the lane rest, and spends no attempt', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, clock, worker } = contacts;
  await world.register('ada@example.com');
  fake.faults.push('rate_limited');
  await contacts.send();
  await world.register('bob@example.com');
  await contacts.send();
  expect(fake.requests).toHaveLength(1);
  expect(await contacts.changes()).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
  clock.advance(8);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(2);
  expect(await contacts.state()).toMatchObject({ state: 'connected' });
});

test('no limit of the tool is exceeded, also over a restart, and all contacts arrive', async () => {
  await using contacts = await createContactsWorld({ tool: 'kit', isLimited: true });
  const { fake, clock } = contacts;
  await contacts.queue(60, { tags: { customer: true, attended: true } });
  for (let round = 0; round < 20 && (await contacts.changes()).length > 0; round += 1) {
    await contacts.anotherWorker().sendDue();
    clock.advance(30);
  }
  expect(fake.contacts.size).toBe(60);
  expect(fake.overLimit).toBe(0);
});

test('a call whose place in the limit is taken by another one waits for the next', async () => {
  await using contacts = await createContactsWorld({ tool: 'activecampaign' });
  const { world, connectionId, sql, clock } = contacts;
  // Five calls a second are allowed, counted in slots of 25 ms. The first place is free in a second, the others one slot later.
  const slot = Math.floor(clock.now().getTime() / 25);
  const calls = [
    [slot, 1],
    [slot + 1, 4],
  ];
  await sql('insert into contacts.lane (account_id, connection_id, limits) values ($1, $2, $3)', [
    world.accountId,
    connectionId,
    JSON.stringify({ api: [calls] }),
  ]);
  await contacts.queue(3, { fields: { firstName: { value: 'Ada', policy: 'always' } }, tags: {} });
  await contacts.worker.sendDue();
  expect(await contacts.changes()).toEqual([]);
  expect(clock.now().getTime()).toBeGreaterThan(databaseTime().getTime());
  const [counted] = await sql<{ calls: number }>(
    `select sum((slot ->> 1)::int)::int as calls from contacts.lane, jsonb_path_query(limits, '$.api[0][*]') slot`,
  );
  expect(counted!.calls).toBeLessThanOrEqual(5);
});

test('a contact whose result is not written yet is not taken again', async () => {
  await using contacts = await createGatedWorld();
  const { gate, world, clock } = contacts;
  let writes = 0;
  const worker = contacts.anotherWorker({
    async beforeWrite() {
      writes += 1;
      if (writes > 1) return;
      // While the result of Bob is written, that of Ada arrives, and a newer fact about Ada is due.
      await world.call(`POST /registrations/${id}/cancel`);
      clock.advance(1.5);
      gate.open();
      await eventually('the end of the call', async () => worker.openCalls() === 0);
    },
  });
  const id = await world.register('ada@example.com');
  clock.advance(1.5);
  const sending = worker.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  gate.pass();
  await world.register('bob@example.com');
  clock.advance(1.5);
  await sending;
  expect((await contacts.sends()).map(({ contact }) => contact)).toEqual([
    'bob@example.com',
    'ada@example.com',
    'ada@example.com',
  ]);
  expect(await contacts.changes()).toEqual([]);
});

test('a worker that cannot write its results makes no further call', async () => {
  await using contacts = await createGatedWorld({ tool: 'kit' });
  const { gate, world, fake, clock } = contacts;
  const worker = contacts.anotherWorker({
    async beforeWrite() {
      gate.open();
      throw new Error('The database is away.');
    },
  });
  await contacts.queue(1);
  const sending = worker.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  gate.pass();
  await world.register();
  clock.advance(1.5);
  await sending;
  expect([...fake.contacts.keys()]).toEqual(['ada@example.com']);
  clock.advance(50);
  await contacts.worker.sendDue();
  expect(await contacts.changes()).toEqual([]);
});

test('a busy lane ends when its account is suspended, and goes on afterwards', async () => {
  await using contacts = await createGatedWorld({ tool: 'mailchimp' });
  const { gate, fake, worker } = contacts;
  await contacts.queue(19, { fields: { FNAME: { value: 'Ada', policy: 'always' } }, tags: {} });
  const sending = worker.sendDue();
  await eventually('the calls', async () => gate.waiting() === 8);
  await contacts.suspend();
  gate.open();
  await sending;
  expect(fake.contacts.size).toBe(8);
  const waiting = await contacts.changes();
  expect(waiting.map(({ isTaken }) => isTaken)).toEqual(Array.from({ length: 11 }, () => false));
  await contacts.resume();
  await worker.sendDue();
  expect(fake.contacts.size).toBe(19);
});

test('a change is not continued while the worker stops, and its next call is that of another worker', async () => {
  await using contacts = await createGatedWorld({ tool: 'kit' });
  const { gate, fake, worker } = contacts;
  await contacts.queue(1);
  const sending = worker.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  const stopping = worker.stop();
  gate.open();
  await Promise.all([sending, stopping]);
  expect(fake.requests).toHaveLength(1);
  expect(await contacts.changes()).toMatchObject([{ attempts: 0, isTaken: false }]);
  await contacts.anotherWorker().sendDue();
  expect(fake.contacts.get('person1@example.com')!.tags).toEqual(new Set(['x']));
});

test('the id of a tag is asked for once, and not for each contact', async () => {
  await using contacts = await createContactsWorld({ tool: 'kit' });
  await contacts.queue(12);
  await contacts.worker.sendDue();
  expect(contacts.fake.contacts.size).toBe(12);
  const asked = contacts.fake.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /v4/tags');
  // The first contacts are sent at the same time.
  expect(asked.length).toBeLessThanOrEqual(4);
});

test('people of a run take half of the places, and a new fact is sent before them', async () => {
  await using contacts = await createGatedWorld({ tool: 'hubspot' });
  const { gate, world, worker, clock } = contacts;
  // With such a policy they are no batch.
  await contacts.queue(60, {
    fields: { firstname: { value: 'Ada', policy: 'if_empty' } },
    tags: {},
    isBackfill: true,
  });
  const sending = worker.sendDue();
  await eventually('half of the places', async () => gate.waiting() === 5);
  const countTaken = async () => (await contacts.changes()).filter(({ isTaken }) => isTaken).length;
  await eventually('the others to wait', async () => (await countTaken()) === 5);
  await world.register('ada@example.com');
  clock.advance(1.5);
  await eventually('the new fact', async () => gate.waiting() === 6);
  gate.open();
  await sending;
  expect(contactOf(contacts)).toBeDefined();
  // Taken for a batch, and given back without a call.
  expect(contacts.results.filter((result) => result === 'not_begun')).toHaveLength(55);
});

test('a worker that dies leaves its changes to the next one', async () => {
  await using contacts = await createGatedWorld();
  const { gate, world, clock, fake } = contacts;
  await world.register();
  clock.advance(1.5);
  const dying = contacts.anotherWorker();
  const lastWork = dying.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  dying.die();
  await contacts.worker.sendDue();
  expect(await contacts.changes()).toMatchObject([{ isTaken: true }]);
  gate.pass();
  clock.advance(50);
  await contacts.worker.sendDue();
  expect(contactOf(contacts)).toBeDefined();
  expect(await contacts.changes()).toEqual([]);
  gate.open();
  await lastWork;
  expect(await contacts.sends()).toHaveLength(1);
  expect(fake.contacts.size).toBe(1);
});

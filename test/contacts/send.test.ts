import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createContactsWorld, startGate, type ContactsWorld } from './contacts-world.ts';

const contactOf = ({ fake }: ContactsWorld, email = 'ada@example.com') => fake.contacts.get(email);

test('a registrant is in the tool a second later, and facts of that second are one send', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { fields: {} } });
  const { world, worker, clock } = contacts;
  const id = await world.register('Ada@Example.com');
  await world.call(`POST /registrations/${id}/cancel`);
  await world.register('ada@example.com');
  await worker.sendDue();
  expect(contacts.fake.contacts.size).toBe(0);
  clock.advance(1.5);
  await worker.sendDue();
  expect(contactOf(contacts)).toMatchObject({
    email: 'ada@example.com',
    tags: new Set(['webinar registered']),
  });
  expect(await contacts.sends()).toMatchObject([{ contact: 'ada@example.com', outcome: 'done' }]);
  expect(await contacts.changes()).toEqual([]);
  expect(await contacts.state()).toMatchObject({ state: 'connected' });
});

test('facts that arrive during a send are the next send of the contact', async () => {
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, worker, clock, fake } = contacts;
  const id = await world.register();
  clock.advance(1.5);
  const sending = worker.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  await world.call(`POST /registrations/${id}/cancel`);
  clock.advance(1.5);
  await eventually('both rows', async () => (await contacts.changes()).length === 2);
  expect((await contacts.changes()).map(({ isTaken }) => isTaken)).toEqual([false, true]);
  expect(gate.waiting()).toBe(1);
  gate.open();
  await sending;
  expect(await contacts.changes()).toEqual([]);
  expect(await contacts.sends()).toHaveLength(2);
  expect(fake.requests.map(({ path }) => path)).toEqual(['/api/profile-import', '/api/profile-import']);
});

test('a tool that is unavailable is asked again after growing waits, and what arrived meanwhile goes along', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, clock, worker } = contacts;
  await world.register();
  fake.faults.push('unavailable');
  await contacts.send();
  const [first] = await contacts.changes();
  expect(first).toMatchObject({ attempts: 1, isTaken: false });
  expect(first!.dueIn).toBeGreaterThanOrEqual(4);
  expect(first!.dueIn).toBeLessThanOrEqual(6);
  await worker.sendDue();
  expect(fake.requests).toHaveLength(1);
  clock.advance(7);
  await worker.sendDue();
  expect(contactOf(contacts)?.fields).toMatchObject({ last_webinar: 'Launch' });
  expect((await contacts.sends()).map(({ outcome }) => outcome)).toEqual(['later', 'done']);
});

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
  // Five calls a second are allowed, counted in slots of 50 ms. The first place is free in half a second, the others one slot later.
  const slot = Math.floor(clock.now().getTime() / 50) - 10;
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
});

test('a dead key disconnects the connection, everything waits, and is sent after reconnecting', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, clock, worker, connectionId } = contacts;
  const { key } = fake;
  fake.key = undefined;
  await world.register('ada@example.com');
  await contacts.send();
  expect(await contacts.state()).toMatchObject({ state: 'disconnected' });
  await world.register('bob@example.com');
  const asked = fake.requests.length;
  clock.advance(3 * 86_400);
  await worker.sendDue();
  expect(fake.requests).toHaveLength(asked);
  expect(await contacts.changes()).toHaveLength(2);
  fake.key = key;
  await world.service.api.service.connections.marketing.verifyNow(world.accountId, connectionId);
  clock.advance(20);
  await worker.sendDue();
  expect([...fake.contacts.keys()].toSorted()).toEqual(['ada@example.com', 'bob@example.com']);
});

test('the changes of a paused connection wait', async () => {
  await using contacts = await createContactsWorld();
  const { fake, sql, clock, worker, connectionId } = contacts;
  await contacts.world.register();
  await sql('update connections.connection set paused_at = now() where id = $1', [connectionId]);
  await contacts.send();
  expect(fake.requests).toEqual([]);
  await sql('update connections.connection set paused_at = null where id = $1', [connectionId]);
  clock.advance(20);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(1);
});

test('a change whose attempts are used up is parked, and sent when the connection works again', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql, clock, worker, connectionId } = contacts;
  await world.register('ada@example.com');
  await sql('update contacts.change set attempts = 28');
  await sql(`update connections.connection set state = 'failing', since = now() where id = $1`, [
    connectionId,
  ]);
  fake.faults.push('unavailable');
  await contacts.send();
  expect(await contacts.changes()).toMatchObject([{ isParked: true }]);
  expect(await contacts.sends()).toMatchObject([{ outcome: 'parked' }]);
  clock.advance(86_400);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(0);
  await world.register('bob@example.com');
  await sql('update contacts.change set due_at = now()');
  await worker.sendDue();
  expect(await contacts.state()).toMatchObject({ state: 'connected' });
  await contacts.releaseParked();
  await worker.sendDue();
  expect(fake.contacts.size).toBe(2);
  expect(await contacts.changes()).toEqual([]);
});

test('a parked change is tried once an hour while nothing else is due, although the connection works', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql, clock, worker } = contacts;
  await world.register();
  await sql('update contacts.change set attempts = 29, parked_at = $1', [clock.now()]);
  fake.faults.push('unavailable');
  clock.advance(3500);
  await contacts.releaseParked();
  expect(await contacts.changes()).toMatchObject([{ isParked: true }]);
  clock.advance(200);
  await contacts.queue(1);
  await contacts.releaseParked();
  expect(await contacts.changes()).toMatchObject([{ isParked: true }, { isParked: false }]);
  await sql(`delete from contacts.change where contact like 'person%'`);
  for (let round = 0; round < 2; round += 1) {
    await contacts.releaseParked();
    await worker.sendDue();
    expect(fake.requests).toHaveLength(1);
  }
  clock.advance(3700);
  await contacts.releaseParked();
  await worker.sendDue();
  expect(fake.contacts.size).toBe(1);
});

test('a change that is given up while newer facts wait is tried again from the first attempt', async () => {
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, worker, fake, clock } = contacts;
  const id = await world.register();
  await contacts.sql('update contacts.change set attempts = 28');
  fake.faults.push('unavailable', 'unavailable');
  clock.advance(1.5);
  const sending = worker.sendDue();
  await eventually('the call', async () => gate.waiting() === 1);
  await world.call(`POST /registrations/${id}/cancel`);
  gate.open();
  await sending;
  expect((await contacts.sends()).map(({ outcome }) => outcome)).toEqual(['parked', 'later']);
  expect(await contacts.changes()).toMatchObject([{ attempts: 1, isParked: false }]);
});

test('a contact whose result is not written yet is not taken again', async () => {
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, clock } = contacts;
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
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    tool: 'kit',
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, fake, clock } = contacts;
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
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    tool: 'mailchimp',
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { fake, worker } = contacts;
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
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    tool: 'kit',
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { fake, worker } = contacts;
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
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    tool: 'hubspot',
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, worker, clock } = contacts;
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
});

test('a worker that dies leaves its changes to the next one', async () => {
  let target = '';
  await using gate = await startGate(() => target);
  await using contacts = await createContactsWorld({
    throughOf: (fake) => {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  const { world, clock, fake } = contacts;
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

test('many contacts go in one call, and one that the tool refuses stands alone', async () => {
  await using contacts = await createContactsWorld({
    tool: 'hubspot',
    sync: { fields: {}, tags: { prefix: '', use: [] } },
  });
  const { world, fake, sql, connectionId, worker } = contacts;
  await sql(
    `insert into contacts.change (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes, is_backfill,
       attempts, first_at, last_at, due_at)
     select $1, $2, case n when 13 then 'invalid' else 'person' || n || '@example.com' end, false, false,
       '{"firstname": {"value": "Ada", "policy": "always"}}', '{}', '{}', '[]', '[]', false, 0, now(), now(), now()
     from generate_series(1, 40) n`,
    [world.accountId, connectionId],
  );
  await worker.sendDue();
  expect(fake.contacts.size).toBe(39);
  expect(fake.requests.length).toBeLessThan(16);
  const sends = await contacts.sends();
  expect(sends.filter(({ outcome }) => outcome === 'done')).toHaveLength(39);
  expect(sends.filter(({ outcome }) => outcome === 'person_refused')).toMatchObject([{ contact: 'invalid' }]);
  expect(await contacts.changes()).toEqual([]);
});

test('people join a list only if they have agreed, and a person who left stays out', async () => {
  await using contacts = await createContactsWorld({ sync: { lists: ['L1'] } });
  const { world, fake } = contacts;
  fake.contact('gone@example.com').consent = 'left';
  await world.register('agreed@example.com', { consent: { given: true } });
  await world.register('refused@example.com', { consent: { given: false } });
  await world.register('unasked@example.com');
  await world.register('gone@example.com', { consent: { given: false } });
  await contacts.send();
  const listed = [...fake.contacts.values()].filter(({ lists }) => lists.has('L1'));
  expect(listed.map(({ email }) => email)).toEqual(['agreed@example.com']);
  expect(contactOf(contacts, 'gone@example.com')).toMatchObject({ consent: 'left' });
  expect(fake.contacts.size).toBe(4);
});

test('a person who unsubscribed from our mails is added to no list and not subscribed, although they agree', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { lists: ['ia1'] } });
  const { world, fake } = contacts;
  const { unsubscribeLinks } = world.service.api.service;
  const url = unsubscribeLinks.urlOf({ accountId: world.accountId, address: 'Ada@example.com' });
  await fetch(`${world.service.baseUrl}${new URL(url).pathname}`, { method: 'POST' });
  for (const email of ['ada@example.com', 'bob@example.com'])
    await world.register(email, { consent: { given: true } });
  await contacts.send();
  expect(contactOf(contacts)).toMatchObject({ consent: 'none', lists: new Set() });
  expect(fake.contacts.get('bob@example.com')).toMatchObject({ consent: 'given', lists: new Set(['ia1']) });
});

test('a person who left a list is not added to it by later facts, only by agreeing again', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp', sync: { lists: ['ia1'] } });
  const { world } = contacts;
  const agree = () => world.register('ada@example.com', { consent: { given: true } });
  const id = await agree();
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['ia1']);
  contactOf(contacts)!.lists.clear();
  await world.call(`POST /registrations/${id}/cancel`);
  await contacts.send();
  expect(await contacts.sends()).toHaveLength(2);
  expect([...contactOf(contacts)!.lists]).toEqual([]);
  await agree();
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['ia1']);
});

test('a person who leaves a list before the rest of the change is repeated stays out', async () => {
  await using contacts = await createContactsWorld({ sync: { lists: ['L1', 'L2'] } });
  const { world, fake, clock, worker } = contacts;
  await world.register('ada@example.com', { consent: { given: true } });
  fake.faults.push('none', 'none', 'unavailable');
  await contacts.send();
  expect([...contactOf(contacts)!.lists]).toEqual(['L1']);
  contactOf(contacts)!.lists.clear();
  clock.advance(10);
  await worker.sendDue();
  expect([...contactOf(contacts)!.lists]).toEqual(['L2']);
  expect(await contacts.changes()).toEqual([]);
});

test('a field that the tool does not take needs attention, and the rest arrives', async () => {
  await using contacts = await createContactsWorld({
    tool: 'hubspot',
    sync: { fields: { lastWebinar: { key: 'no_such_field', policy: 'always' } } },
  });
  await contacts.world.register();
  await contacts.send();
  expect(contactOf(contacts)).toBeDefined();
  expect(await contacts.state()).toMatchObject({
    state: 'attention',
    reason: expect.stringContaining('no_such_field'),
  });
  expect(await contacts.changes()).toEqual([]);
});

test('two accounts never see the contacts of each other', async () => {
  await using contacts = await createContactsWorld();
  const neighbour = await contacts.world.neighbour();
  await using others = await createContactsWorld({ world: neighbour });
  await contacts.world.register('ada@example.com');
  await neighbour.register('bob@example.com');
  contacts.clock.advance(1.5);
  await contacts.worker.sendDue();
  expect([...contacts.fake.contacts.keys()]).toEqual(['ada@example.com']);
  expect([...others.fake.contacts.keys()]).toEqual(['bob@example.com']);
});

test('an attendee who is left out, a test attendee and an account without a tool cause no change', async () => {
  await using contacts = await createContactsWorld({ sync: { domainsLeftOut: ['acme.example'] } });
  const { world } = contacts;
  await world.register('ada@acme.example');
  await (await world.neighbour()).register('bob@example.com');
  expect(await contacts.sql('select contact from contacts.change')).toEqual([]);
});

test('changes of a connection that was removed, and of a suspended account, are not sent', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql, connectionId, worker, clock, fake } = contacts;
  await world.register();
  await contacts.suspend();
  await contacts.send();
  expect(fake.requests).toEqual([]);
  await contacts.resume();
  await sql('delete from connections.connection where id = $1', [connectionId]);
  clock.advance(2);
  await worker.sendDue();
  expect(fake.requests).toEqual([]);
  expect(await contacts.changes()).toEqual([]);
});

test('an event of a tool that would count it twice is sent once, although the rest is repeated', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp' });
  const { world, fake, clock, worker, sql, connectionId } = contacts;
  const event = { id: crypto.randomUUID(), name: 'watched', at: new Date().toISOString(), properties: {} };
  await sql(
    `insert into contacts.change (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes, is_backfill,
       attempts, first_at, last_at, due_at)
     values ($1, $2, 'ada@example.com', false, false, '{}', '{}', '{}', $3, '[]', false, 0, now(), now(), now())`,
    [
      world.accountId,
      connectionId,
      JSON.stringify([event, { ...event, id: crypto.randomUUID(), name: 'clicked' }]),
    ],
  );
  const { handle } = fake;
  let isAvailable = false;
  fake.handle = (request) =>
    JSON.stringify(request.body).includes('"clicked"') && !isAvailable ? { status: 503 } : handle(request);
  await worker.sendDue();
  isAvailable = true;
  clock.advance(10);
  await worker.sendDue();
  expect(fake.events.map(({ name }) => name)).toEqual(['watched', 'clicked']);
  expect(await contacts.changes()).toEqual([]);
});

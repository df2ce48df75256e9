// From a fact to the contact in the tool: one send at a time, repeated, parked, or not sent.
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { contactOf, createContactsWorld, createGatedWorld } from './contacts-world.ts';

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
  await using contacts = await createGatedWorld();
  const { gate } = contacts;
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

test('a parked change is tried once an hour, although the connection works', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake, sql, clock, worker } = contacts;
  await world.register();
  await sql('update contacts.change set attempts = 29, parked_at = $1', [clock.now()]);
  fake.faults.push('unavailable');
  clock.advance(3500);
  await contacts.releaseParked();
  expect(await contacts.changes()).toMatchObject([{ isParked: true }]);
  clock.advance(200);
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

test('parked changes of a lane that always has something due are tried one at a time, the first one first', async () => {
  await using contacts = await createContactsWorld();
  const { sql, clock } = contacts;
  const parked = async () => (await contacts.changes()).map(({ isParked }) => isParked);
  await contacts.queue(3);
  await sql(
    `update contacts.change set attempts = 29, parked_at = now() - interval '2 hours' + make_interval(secs => right(split_part(contact, '@', 1), 1)::int)`,
  );
  const fresh = () =>
    sql(
      `insert into contacts.change (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes, is_backfill,
         attempts, first_at, last_at, due_at)
       select account_id, connection_id, 'fresh@example.com', false, false, '{}', '{}', '{}', '[]', '[]', false, 0, now(), now(), now() - interval '1 second'
       from contacts.change limit 1`,
    );
  await fresh();
  await contacts.releaseParked();
  expect(await parked()).toEqual([false, false, true, true]);
  await contacts.releaseParked();
  expect(await parked()).toEqual([false, false, false, true]);
  await sql('delete from contacts.change where parked_at is null');
  clock.advance(1);
  await contacts.releaseParked();
  expect(await parked()).toEqual([false]);
});

test('a change that is given up while newer facts wait is tried again from the first attempt', async () => {
  await using contacts = await createGatedWorld();
  const { gate } = contacts;
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

test('many contacts go in one call, and one that the tool refuses stands alone', async () => {
  await using contacts = await createContactsWorld({
    tool: 'hubspot',
    sync: { fields: {}, tags: { prefix: '', use: [] } },
  });
  const { fake, sql, worker } = contacts;
  await contacts.queue(40, { fields: { firstname: { value: 'Ada', policy: 'always' } }, tags: {} });
  await sql(`update contacts.change set contact = 'invalid' where contact = 'person13@example.com'`);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(39);
  expect(fake.requests.length).toBeLessThan(16);
  const sends = await contacts.sends();
  expect(sends.filter(({ outcome }) => outcome === 'done')).toHaveLength(39);
  expect(sends.filter(({ outcome }) => outcome === 'person_refused')).toMatchObject([{ contact: 'invalid' }]);
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

test('a person who registers before the notification of a new tool has arrived is sent to it', async () => {
  await using contacts = await createContactsWorld();
  const { world, sql } = contacts;
  const enable = (enabled: boolean) =>
    sql(`update connections.connection set settings = jsonb_set(settings, '{sync,enabled}', $1)`, [
      String(enabled),
    ]);
  await enable(false);
  const id = await world.register('ada@example.com');
  await world.call(`POST /registrations/${id}/cancel`);
  await eventually('the listening', async () => {
    const listening = await sql(
      `select from pg_stat_activity where datname = current_database() and query ilike 'listen%connections_marketing%'`,
    );
    return listening.length > 0;
  });
  const other = await world.register('carl@example.com');
  await world.call(`POST /registrations/${other}/cancel`);
  await enable(true);
  await world.register('bob@example.com');
  expect((await contacts.changes()).map(({ contact }) => contact)).toEqual(['bob@example.com']);
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
  const { fake, clock, worker } = contacts;
  const event = { id: crypto.randomUUID(), name: 'watched', at: new Date().toISOString(), properties: {} };
  const clicked = { ...event, id: crypto.randomUUID(), name: 'clicked' };
  await contacts.queue(1, { tags: {}, events: [event, clicked] });
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

import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { createContactsWorld, type ContactsWorld } from './contacts-world.ts';

const actionOf = ({ connectionId }: ContactsWorld, more: object = {}) => ({
  type: 'integration',
  connectionId,
  fields: [
    { key: 'first_name', from: 'first_name' },
    { key: 'plan', value: 'webinar' },
  ],
  lists: { add: ['L1'] },
  event: { name: 'Registered' },
  ...more,
});

const ruleWith = (contacts: ContactsWorld, ...actions: object[]) =>
  contacts.world.call('POST /automations', { name: 'Mine', trigger: { type: 'registered' }, actions });

test('a rule sets fields, adds people who agreed to a list and records an event once', async () => {
  await using contacts = await createContactsWorld({ sync: { enabled: false } });
  const { world, fake, clock, worker } = contacts;
  const { json, status } = await ruleWith(contacts, actionOf(contacts));
  expect([status, json.data.actions]).toMatchObject([
    201,
    [{ type: 'integration', event: { name: 'Registered' } }],
  ]);
  const id = await world.register('ada@example.com', { name: 'Ada Lovelace', consent: { given: true } });
  await world.register('bob@example.com', { consent: { given: false } });
  fake.faults.push('none', 'none', 'none', 'unavailable');
  await contacts.send();
  clock.advance(10);
  await worker.sendDue();
  expect(fake.contacts.get('ada@example.com')).toMatchObject({
    fields: { first_name: 'Ada', plan: 'webinar' },
    lists: new Set(['L1']),
  });
  expect(fake.contacts.get('bob@example.com')!.lists).toEqual(new Set());
  expect(fake.events.map(({ email, name }) => `${email} ${name}`).toSorted()).toEqual([
    'ada@example.com Registered',
    'bob@example.com Registered',
  ]);
  const executions = await world.get(`/executions?registrationId=${id}`);
  expect(executions[0].actions).toMatchObject([{ type: 'integration', status: 'done' }]);
});

test('an execution shows the outcome of its latest send, however many failed before', async () => {
  await using contacts = await createContactsWorld({ sync: { enabled: false } });
  const { world, fake, clock, worker } = contacts;
  await ruleWith(contacts, actionOf(contacts));
  const id = await world.register('ada@example.com');
  fake.faults.push(...Array.from({ length: 22 }, () => 'unavailable' as const));
  await contacts.send();
  for (let hour = 0; hour < 23; hour += 1) {
    clock.advance(5400);
    await worker.sendDue();
  }
  expect((await contacts.sends()).map(({ outcome }) => outcome).slice(-2)).toEqual(['later', 'done']);
  const executions = await world.get(`/executions?registrationId=${id}`);
  expect(executions[0].actions).toMatchObject([{ status: 'done' }]);
});

test('each execution ends: of a removed connection, of a change with many causes, and of another registration of the person', async () => {
  await using contacts = await createContactsWorld({ sync: { enabled: false } });
  const { world, connectionId, sql } = contacts;
  const plain = actionOf(contacts, { lists: {}, event: null });
  for (let n = 0; n < 22; n += 1) await ruleWith(contacts, plain);
  const statusesOf = async (id: string): Promise<string[]> =>
    (await world.get(`/executions?registrationId=${id}&limit=100`)).flatMap(
      ({ actions }: { actions: { status: string }[] }) => actions.map(({ status }) => status),
    );
  const first = await world.register('ada@example.com');
  expect(await statusesOf(first)).toEqual(Array.from({ length: 22 }, () => 'queued'));
  await contacts.send();
  expect(await statusesOf(first)).toEqual(Array.from({ length: 22 }, () => 'done'));
  // The last fact of the change is one of another registration.
  await sql('update contacts.send set registration_id = gen_random_uuid()');
  expect(new Set(await statusesOf(first))).toEqual(new Set(['done']));

  const second = await world.register('bob@example.com');
  contacts.fake.faults.push('unavailable');
  await contacts.send();
  expect(new Set(await statusesOf(second))).toEqual(new Set(['later', 'queued']));
  await sql('delete from connections.connection where id = $1', [connectionId]);
  expect(new Set(await statusesOf(second))).toEqual(new Set(['connection_removed']));
  contacts.clock.advance(10);
  await contacts.send();
  expect(await contacts.changes()).toEqual([]);
  expect(new Set(await statusesOf(second))).toEqual(new Set(['connection_removed']));
  expect(new Set(await statusesOf(first))).toEqual(new Set(['done']));
});

test('an execution that later facts have pushed out of the causes of its change ends with the change', async () => {
  await using contacts = await createContactsWorld({ sync: { enabled: false } });
  const { world, fake, clock, worker, sql } = contacts;
  await ruleWith(contacts, actionOf(contacts, { lists: {}, event: null }));
  const id = await world.register();
  const statuses = async () => {
    const [execution] = await world.get(`/executions?registrationId=${id}`);
    return execution.actions.map(({ status }: { status: string }) => status);
  };
  fake.faults.push('unavailable');
  await contacts.send();
  await sql(`update contacts.change set causes = '[]'`);
  expect(await statuses()).toEqual(['later']);
  clock.advance(10);
  await worker.sendDue();
  expect(await statuses()).toEqual(['done']);
});

test('the parts of two rules and of being in step are one send, and the later rule wins', async () => {
  await using contacts = await createContactsWorld();
  const { world, fake } = contacts;
  const field = (value: string) => ({ fields: [{ key: 'plan', value }], lists: {}, event: null });
  await ruleWith(contacts, actionOf(contacts, field('first')));
  await ruleWith(contacts, actionOf(contacts, field('second')));
  await world.register();
  await contacts.send();
  expect(fake.contacts.get('ada@example.com')!.fields).toMatchObject({
    plan: 'second',
    last_webinar: 'Launch',
  });
  expect(await contacts.sends()).toHaveLength(1);
});

test('an action with parts that its tool does not have is refused, and the form shows it before', async () => {
  await using contacts = await createContactsWorld({ tool: 'kit' });
  const { world } = contacts;
  const tagged = { tags: { add: ['customer'] } };
  const { status, json } = await ruleWith(contacts, actionOf(contacts, tagged));
  const issues = [
    { path: 'actions.0.lists', message: 'Kit has no lists.' },
    { path: 'actions.0.event', message: 'Kit has no events.' },
  ];
  expect([status, json.issues]).toEqual([422, issues]);
  const owner = await openDashboard(world.service, world);
  const draft = { name: 'Mine', trigger: { type: 'registered' }, actions: [actionOf(contacts, tagged)] };
  expect(await owner.mutate('automations.rules.check', { webinarId: world.webinar.id, draft })).toEqual(
    issues,
  );
  await using others = await createContactsWorld({ tool: 'hubspot', world: contacts.world });
  const { json: refused } = await ruleWith(others, actionOf(others, tagged));
  expect(refused.issues).toEqual([{ path: 'actions.0.tags', message: 'HubSpot has no tags.' }]);
});

test('the name of an event is as long as the tool takes it', async () => {
  await using contacts = await createContactsWorld({ tool: 'mailchimp' });
  await using others = await createContactsWorld({ world: contacts.world });
  const event = { name: 'x'.repeat(31) };
  const { json } = await ruleWith(contacts, actionOf(contacts, { event, lists: {} }));
  expect(json.issues).toEqual([
    { path: 'actions.0.event.name', message: 'At most 30 characters at Mailchimp.' },
  ]);
  expect((await ruleWith(others, actionOf(others, { event }))).status).toBe(201);
});

test('an action without parts, with two values or with a tool of another workspace is refused', async () => {
  await using contacts = await createContactsWorld();
  const neighbour = await contacts.world.neighbour();
  await using others = await createContactsWorld({ world: neighbour });
  const issuesOf = async (action: object) => {
    const { status, json } = await ruleWith(contacts, action);
    return [status, ...(json.issues ?? []).map(({ path }: { path: string }) => path)];
  };
  expect(await issuesOf(actionOf(others))).toEqual([422, 'actions.0.connectionId']);
  expect(await issuesOf(actionOf(contacts, { fields: [], lists: {}, event: null }))).toEqual([
    422,
    'actions.0.fields',
  ]);
  expect(await issuesOf(actionOf(contacts, { fields: [{ key: 'a', from: 'name', value: 'b' }] }))).toEqual([
    422,
    'actions.0.fields.0.from',
  ]);
});

import { expect, test } from 'vitest';
import { continueRuns } from '@service/contacts';
import { runMaintenance } from '@service/worker';
import { createTestKey, callRest } from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { createContactsWorld, type ContactsWorld } from './contacts-world.ts';

const continueAll = ({ world: { service }, clock }: ContactsWorld) =>
  continueRuns(service.db.database, service.api.service.connections.marketing, {
    now: clock.now(),
    signal: new AbortController().signal,
    onFailure: (error) => {
      throw error;
    },
  });

test('the history of a connection shows each send, with addresses and values for those who may read them', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId } = contacts;
  const registrationId = await world.register();
  expect((await world.rest(`GET /connections/${connectionId}`)).json.data.waiting).toMatchObject({
    people: 1,
  });
  await contacts.send();
  const { json } = await world.rest(`GET /connections/${connectionId}/sends`);
  expect(json.data).toMatchObject([
    {
      outcome: 'done',
      contact: 'ada@example.com',
      registrationId,
      status: 201,
      fields: ['last_webinar'],
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      values: { fields: { last_webinar: 'Launch' } },
      causes: [expect.any(String)],
    },
  ]);
  const path = `GET /connections/${connectionId}/sends?registrationId=`;
  expect((await world.rest(path + registrationId)).json.data).toHaveLength(1);
  expect((await world.rest(path + crypto.randomUUID())).json.data).toEqual([]);
  const { key } = await createTestKey(world.service, world.accountId, { scopes: ['connections:read'] });
  const narrow = await callRest(world.service, `GET /connections/${connectionId}/sends`, { key });
  expect(narrow.json.data).toMatchObject([{ contact: null, values: null, outcome: 'done' }]);
  expect((await world.rest('GET /connections')).json.data).toMatchObject([
    { kind: 'marketing', waiting: { people: 0, oldestAt: null } },
  ]);
  const neighbour = await world.neighbour();
  expect((await neighbour.rest(`GET /connections/${connectionId}/sends`)).status).toBe(404);
});

test('the history of a connection is filtered by outcome', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId, fake } = contacts;
  await world.register('ada@example.com');
  await contacts.send();
  fake.faults.push('unavailable');
  await world.register('bob@example.com');
  await contacts.send();
  const outcomesOf = async (query: string) =>
    (await world.rest(`GET /connections/${connectionId}/sends${query}`)).json.data.map(
      (send: { contact: string; outcome: string }) => [send.contact, send.outcome],
    );
  expect(await outcomesOf('?outcome=later')).toEqual([['bob@example.com', 'later']]);
  expect(await outcomesOf('?outcome=done')).toEqual([['ada@example.com', 'done']]);
  expect((await world.rest(`GET /connections/${connectionId}/sends?outcome=lost`)).status).toBe(422);
});

test('the history of a person has the sends to all tools about all of their registrations, and that of an execution its own', async () => {
  await using contacts = await createContactsWorld();
  const { world, clock } = contacts;
  await using others = await createContactsWorld({ tool: 'kit', world, sync: { enabled: false } });
  const webinarId = world.webinar.id;
  await world.create('/automations', {
    name: 'Mine',
    trigger: { type: 'registered' },
    actions: [
      {
        type: 'integration',
        connectionId: others.connectionId,
        fields: [{ key: 'last_name', value: 'Lovelace' }],
      },
    ],
  });
  const registrationId = await world.register('Ada@example.com');
  await world.register('bob@example.com');
  await contacts.send();
  const second = await createWorld({ beside: world, workspace: world });
  await second.register('ada@example.com');
  clock.advance(3);
  await contacts.send();
  const owner = await openDashboard(world.service, world);
  const sendsOf = async (more: object = {}) =>
    (await owner.query('contacts.ofRegistration', { webinarId, registrationId, ...more })).map(
      ({ connectionId, contact }: { connectionId: string; contact: string }) => [connectionId, contact],
    );
  const [inStep, byRule] = [contacts, others].map(({ connectionId }) => [connectionId, 'ada@example.com']);
  // A worker sends the lanes of both tools at the same time.
  const [newest, ...earlier] = await sendsOf();
  expect([newest, ...earlier.toSorted()]).toEqual([inStep, inStep, byRule]);
  const [{ id: executionId }] = await world.get(`/executions?registrationId=${registrationId}`);
  expect(await sendsOf({ executionId })).toEqual([byRule]);
  expect(await refusalOf(sendsOf({ webinarId: second.webinar.id }))).toBe('registration_not_found');
  const neighbour = await world.neighbour();
  const stranger = await openDashboard(neighbour.service, neighbour);
  expect(await refusalOf(stranger.query('contacts.ofRegistration', { webinarId, registrationId }))).toBe(
    'webinar_not_found',
  );
});

test('the words of a tool, which may name a person, are only for those who may read people', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId, fake, clock, worker } = contacts;
  const { key } = await createTestKey(world.service, world.accountId, { scopes: ['connections:read'] });
  const words = 'ada@example.com may not be changed';
  await world.register();
  for (const status of [410, 500]) {
    fake.faults.push(...Array.from({ length: 5 }, () => ({ status, body: { errors: [{ detail: words }] } })));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      clock.advance(5400);
      await worker.sendDue();
    }
    const [connection, narrow] = await Promise.all(
      ['', '/sends'].map((more) =>
        callRest(world.service, `GET /connections/${connectionId}${more}`, { key }),
      ),
    );
    expect(connection!.json.data).toMatchObject({
      state: status === 410 ? 'attention' : 'failing',
      reason: `The tool did not take the call "Create or update profile" (HTTP ${status}).`,
    });
    expect(narrow!.json.data[0]).toMatchObject({ reason: null });
    const wide = await world.rest(`GET /connections/${connectionId}/sends`);
    expect(wide.json.data[0].reason).toContain(words);
  }
});

test('everyone is sent again as people of the past, and a run can be cancelled', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId, fake, worker, clock } = contacts;
  for (const name of ['ada', 'bob', 'eve']) await world.register(`${name}@example.com`);
  await contacts.send();
  fake.contacts.clear();
  const runs = `/connections/${connectionId}/runs`;
  const more = () => continueAll(contacts);
  const { json, status } = await world.rest(`POST ${runs}`);
  expect([status, json.data]).toMatchObject([201, { total: 3, sent: 0, status: 'running' }]);
  expect((await world.rest(`POST ${runs}`)).json.code).toBe('run_in_progress');
  await more();
  expect(await contacts.sql('select is_backfill from contacts.change')).toEqual(
    Array.from({ length: 3 }, () => ({ is_backfill: true })),
  );
  await world.register('ada@example.com');
  clock.advance(2);
  await worker.sendDue();
  await more();
  expect([...fake.contacts.keys()].toSorted()).toEqual([
    'ada@example.com',
    'bob@example.com',
    'eve@example.com',
  ]);
  expect((await world.rest(`GET ${runs}`)).json.data).toMatchObject([{ status: 'done', sent: 3 }]);

  fake.contacts.clear();
  const second = (await world.rest(`POST ${runs}`)).json.data;
  await more();
  expect((await world.rest(`DELETE ${runs}/${second.id}`)).status).toBe(204);
  clock.advance(2);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(0);
  expect((await world.rest(`GET ${runs}`)).json.data[0]).toMatchObject({ status: 'cancelled', sent: 3 });
});

test('a run leaves out the people whom the settings leave out, and ends when the connection keeps no registrants in step', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId, fake, worker, clock } = contacts;
  await world.register('ada@example.com');
  await world.register('bob@acme.example');
  await contacts.send();
  fake.contacts.clear();
  const set = (sync: object) =>
    contacts.sql(
      `update connections.connection set settings = jsonb_set(settings, '{sync}', settings -> 'sync' || $1::jsonb)`,
      [JSON.stringify(sync)],
    );
  const runs = `/connections/${connectionId}/runs`;
  await set({ webinarsLeftOut: [world.webinar.id], domainsLeftOut: ['acme.example'] });
  await world.rest(`POST ${runs}`);
  await continueAll(contacts);
  expect(await contacts.changes()).toMatchObject([{ contact: 'ada@example.com' }]);
  clock.advance(2);
  await worker.sendDue();
  expect(fake.contacts.size).toBe(0);
  expect((await contacts.sends()).at(-1)).toMatchObject({ outcome: 'skipped', calls: [] });
  await continueAll(contacts);
  const { data } = (await world.rest(`GET ${runs}`)).json;
  expect(data).toMatchObject([{ status: 'done', total: 2, sent: 0, leftOut: 2 }]);

  await world.rest(`POST ${runs}`);
  await continueAll(contacts);
  await set({ enabled: false });
  await continueAll(contacts);
  expect(await contacts.changes()).toEqual([]);
  expect((await world.rest(`GET ${runs}`)).json.data[0]).toMatchObject({ status: 'cancelled' });
});

test('a run whose connection is paused waits, and is looked at once a minute', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId, clock, sql } = contacts;
  await world.register();
  await contacts.send();
  await world.rest(`POST /connections/${connectionId}/runs`);
  await sql('update connections.connection set paused_at = now()');
  await continueAll(contacts);
  await sql('update connections.connection set paused_at = null');
  await continueAll(contacts);
  expect(await contacts.changes()).toEqual([]);
  clock.advance(61);
  await continueAll(contacts);
  expect(await contacts.changes()).toHaveLength(1);
});

test('an ended run is deleted with the history, and one that goes on is kept', async () => {
  await using contacts = await createContactsWorld();
  const { world, connectionId } = contacts;
  const runs = `/connections/${connectionId}/runs`;
  const ended = (await world.rest(`POST ${runs}`)).json.data;
  await world.rest(`DELETE ${runs}/${ended.id}`);
  const running = (await world.rest(`POST ${runs}`)).json.data;
  const now = new Date(Date.now() + 91 * 86_400_000);
  await runMaintenance(world.service.db.database.pool, { now, retentionDays: 90 });
  const { data } = (await world.rest(`GET ${runs}`)).json;
  expect(data.map(({ id }: { id: string }) => id)).toEqual([running.id]);
});

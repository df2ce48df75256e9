import type { ProviderId } from '@service/marketing-providers';
import { credentialOf, startFake } from '@service/marketing-providers/testing';
import { versionOf } from '@service/trpc/version';
import { expect, test } from 'vitest';
import { allInStep, startGate } from '../contacts/contacts-world.ts';
import { eventually } from '../support/eventually.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { insertConnection } from './connection-rows.ts';

async function openTool(tool: ProviderId) {
  const world = await createWorld();
  const fake = await startFake(tool);
  const owner = await openDashboard(world.service, world);
  const input = { provider: tool, credential: credentialOf(tool), baseUrl: fake.baseUrl };
  return {
    world,
    fake,
    owner,
    input,
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a tool is connected by a real call, with a proposal of what to keep in step, and no answer contains its key', async () => {
  await using tool = await openTool('klaviyo');
  const { world, fake, owner, input } = tool;
  const wrongKey = { key: `pk_${'0'.repeat(34)}` };
  expect(await refusalOf(owner.mutate('connections.connectTool', { ...input, credential: wrongKey }))).toBe(
    'credential_refused',
  );
  const made = await owner.mutate('connections.connectTool', { ...input, sync: 'all' });
  expect(made).toMatchObject({
    account: 'Acme',
    connection: {
      kind: 'marketing',
      state: 'connected',
      isDefault: false,
      credentialLast4: fake.key!.slice(-4),
      settings: {
        from: null,
        // Klaviyo has no tags.
        sync: { enabled: true, fields: { lastWebinar: { key: 'Last webinar' } }, tags: { use: [] } },
      },
    },
  });
  const listed = await world.rest('GET /connections');
  expect(listed.json.data).toMatchObject([{ id: made.connection.id, waiting: { people: 0 } }]);
  expect(listed.text).not.toContain(fake.key);
  const sync = { ...allInStep, tags: { prefix: 'webinar ', use: [] } };
  const another = await owner.mutate('connections.connectTool', { ...input, name: 'Another account', sync });
  expect(another.connection.settings.sync).toEqual(sync);
  expect((await world.rest('GET /connections')).json.data).toHaveLength(2);
});

test('a key is replaced after its verification, and a key that lacks rights needs attention', async () => {
  await using tool = await openTool('hubspot');
  const { fake, owner, input } = tool;
  fake.lacksRights = true;
  const { connection } = await owner.mutate('connections.connectTool', input);
  expect(connection).toMatchObject({ state: 'attention' });
  const { id: connectionId } = connection;
  fake.lacksRights = false;
  const replaced = await owner.mutate('connections.replaceCredential', {
    connectionId,
    credential: input.credential,
    baseUrl: fake.baseUrl,
  });
  expect(replaced.connection).toMatchObject({ state: 'connected', kind: 'marketing' });
  expect(await refusalOf(owner.mutate('connections.makeDefault', { connectionId }))).toBe(
    'connection_not_found',
  );
});

test('settings that are saved while the tool is asked are kept', async () => {
  await using tool = await openTool('hubspot');
  const { world, owner, input, fake } = tool;
  const { connection } = await owner.mutate('connections.connectTool', input);
  const { id: connectionId } = connection;
  const { pool } = world.service.db.database;
  const saveSync = (name: string, sync: object) =>
    pool.query(
      `update connections.connection set name = $2, settings = jsonb_set(settings, '{sync}', $3) where id = $1`,
      [connectionId, name, JSON.stringify(sync)],
    );
  /** Saves while the first call to the tool waits. */
  const saveDuring = async (save: () => Promise<unknown>, work: (baseUrl: string) => Promise<unknown>) => {
    await using gate = await startGate(() => fake.baseUrl);
    const working = work(gate.baseUrl);
    await eventually('the call', async () => gate.waiting() === 1);
    await save();
    gate.open();
    await working;
    return (await world.rest(`GET /connections/${connectionId}`)).json.data;
  };

  const replaced = await saveDuring(
    () => saveSync('Mine', { ...allInStep, lists: ['11'] }),
    (baseUrl) =>
      owner.mutate('connections.replaceCredential', { connectionId, credential: input.credential, baseUrl }),
  );
  expect(replaced).toMatchObject({ name: 'Mine', settings: { sync: { lists: ['11'] } } });

  const mapped = { ...allInStep.fields, attended: { key: 'own', policy: 'if_empty' } };
  const made = await saveDuring(
    () => saveSync('Ours', { ...allInStep, fields: mapped, lists: ['12'] }),
    async (baseUrl) => {
      await pool.query(
        `update connections.connection set settings = jsonb_set(settings, '{baseUrl}', to_jsonb($2::text)) where id = $1`,
        [connectionId, baseUrl],
      );
      return owner.mutate('connections.createFields', { connectionId });
    },
  );
  expect(made).toMatchObject({ name: 'Ours', settings: { sync: { lists: ['12'], fields: mapped } } });
  expect(Object.keys(made.settings.sync.fields)).toHaveLength(6);
});

test.each<[ProviderId, string[]]>([
  ['hubspot', ['lastWebinar']],
  ['mailchimp', []],
])(
  'the proposal has the fields that %s has, the others are made with one call, and a mapping to a field of another type is refused',
  async (id, proposed) => {
    await using tool = await openTool(id);
    const { fake, owner, input } = tool;
    const { connection } = await owner.mutate('connections.connectTool', { ...input, sync: 'all' });
    const connectionId = connection.id;
    expect(Object.keys(connection.settings.sync.fields)).toEqual(proposed);
    const { fields } = (await owner.mutate('connections.createFields', { connectionId })).settings.sync;
    expect(Object.keys(fields)).toHaveLength(6);
    expect(fake.fields.has(fields.watchedPercent.key)).toBe(true);
    const catalogue = await owner.query('connections.catalogue', { connectionId });
    expect(catalogue.fields.map(({ key }: { key: string }) => key)).toContain(fields.watchedPercent.key);
    const sync = { ...allInStep, fields: { lastWebinar: fields.watchedPercent } };
    expect(
      await refusalOf(owner.mutate('connections.changeSync', { connectionId, name: 'HubSpot', sync })),
    ).toBe('validation_failed');
  },
);

test('pages read the connections whose key is refused with the people who wait, except those that nothing waits for', async () => {
  await using tool = await openTool('klaviyo');
  const { world, owner, input } = tool;
  const refused = () => owner.query('connections.listDisconnected');
  const { id: connectionId } = (await owner.mutate('connections.connectTool', { ...input, sync: 'all' }))
    .connection;
  const mailId = await insertConnection(world.service, world.accountId);
  const otherMailId = await insertConnection(world.service, world.accountId);
  await world.register();
  expect(await refused()).toEqual([]);
  await world.service.db.database.pool.query(
    `update connections.connection set state = 'disconnected', reason = 'The key was deleted'`,
  );
  expect(await refused()).toMatchObject([
    { id: connectionId, kind: 'marketing', waiting: { people: 1 } },
    { id: mailId, kind: 'mail', isDefault: true, waiting: null },
  ]);
  const neighbour = await world.neighbour();
  const stranger = await openDashboard(neighbour.service, neighbour);
  expect(await stranger.query('connections.listDisconnected')).toEqual([]);
  await owner.mutate('connections.makeDefault', { connectionId: otherMailId });
  await owner.mutate('connections.pause', { connectionId });
  expect((await refused()).map(({ id }: { id: string }) => id)).toEqual([otherMailId]);
});

test('an owner leaves a webinar out of a connection and takes it in again, and no other setting changes', async () => {
  await using tool = await openTool('klaviyo');
  const { world, owner, input } = tool;
  const other = crypto.randomUUID();
  const sync = { ...allInStep, tags: { prefix: '', use: [] }, webinarsLeftOut: [other] };
  const { connection } = await owner.mutate('connections.connectTool', { ...input, sync });
  const leaveOut = async (isLeftOut: boolean) =>
    (
      await owner.mutate('connections.leaveOutWebinar', {
        connectionId: connection.id,
        webinarId: world.webinar.id,
        isLeftOut,
      })
    ).settings.sync;
  await leaveOut(true);
  expect(await leaveOut(true)).toEqual({ ...sync, webinarsLeftOut: [other, world.webinar.id] });
  await world.register();
  expect((await world.rest('GET /connections')).json.data).toMatchObject([{ waiting: { people: 0 } }]);
  // Another owner saves a page that was read before.
  const changed = await owner.mutate('connections.changeSync', {
    connectionId: connection.id,
    sync: { domainsLeftOut: ['acme.example'] },
  });
  expect(changed).toMatchObject({
    name: connection.name,
    settings: {
      sync: { ...sync, domainsLeftOut: ['acme.example'], webinarsLeftOut: [other, world.webinar.id] },
    },
  });
  await owner.mutate('connections.changeSync', {
    connectionId: connection.id,
    sync: { domainsLeftOut: sync.domainsLeftOut },
  });
  expect(await leaveOut(false)).toEqual(sync);
  const full = { ...sync, webinarsLeftOut: Array.from({ length: 500 }, () => crypto.randomUUID()) };
  await owner.mutate('connections.changeSync', {
    connectionId: connection.id,
    name: 'Klaviyo',
    sync: full,
  });
  expect(await refusalOf(leaveOut(true))).toBe('validation_failed');
});

test('settings that another owner has changed in the meantime are not overwritten: the answer has the present ones', async () => {
  await using tool = await openTool('mailchimp');
  const { world, owner, input } = tool;
  const { connection } = await owner.mutate('connections.connectTool', { ...input, sync: allInStep });
  const { id: connectionId, name } = connection;
  const version = versionOf({ id: connectionId, name, sync: connection.settings.sync });
  // The state of the connection is no edit.
  await owner.mutate('connections.check', { connectionId });
  const save = (sync: object) =>
    owner.send('connections.changeSync', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: world.service.baseUrl,
        'If-Match': `"${version}"`,
      },
      body: JSON.stringify({ connectionId, sync }),
    });
  expect((await save({ domainsLeftOut: ['acme.example'] })).status).toBe(200);
  const refused = await save({ fields: {} });
  expect(refused.status).toBe(412);
  expect(refused.json.error.data).toMatchObject({
    code: 'precondition_failed',
    data: { name, sync: { ...allInStep, domainsLeftOut: ['acme.example'] } },
  });
});
